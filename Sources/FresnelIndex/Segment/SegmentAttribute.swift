import FresnelModel

/// One attribute that occurs in a segment, and what the segment has of it.
///
/// A class, so that taking one out of the list counts one reference, not those of all its arrays.
package final class SegmentAttribute: Sendable {
    /// What a segment has of an attribute.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Terms in the postings, and field lengths.
        package static let text = Parts(rawValue: 1)
        /// A `StringColumn` in the file; text content has terms but no column.
        package static let strings = Parts(rawValue: 2)
        /// A `NumericColumn` of numbers.
        package static let numbers = Parts(rawValue: 4)
        /// A `NumericColumn` of dates.
        package static let dates = Parts(rawValue: 8)
        /// Its postings stand aside (`Segment.asidePostings`): no wildcard covers the attribute.
        package static let aside = Parts(rawValue: 16)
        /// Texts that stand in the stored documents only, as in packed segments long ones do.
        package static let stored = Parts(rawValue: 32)
        /// Texts that are the unique identifiers.
        package static let identifiers = Parts(rawValue: 64)
    }

    /// The canonical name.
    package let name: String
    /// What every index knows about the attribute.
    private let known: AttributeDefinition?
    /// What the segment has of it; may be empty, as for opaque bytes.
    package let parts: Parts
    /// Which documents have a value of any type.
    package let presence: Presence
    /// Tokens per document; nil without `.text`.
    package let fieldLengths: FieldLengths?
    /// The column of texts in the file; nil without `.strings`.
    package let column: StringColumn?
    /// The texts that have no column; nil without `.stored` and `.identifiers`.
    let storedTexts: StoredTexts?
    /// The numbers; nil without `.numbers`.
    package let numbers: NumericColumn?
    /// The dates, in seconds since 2001; nil without `.dates`.
    package let dates: NumericColumn?

    init(
        name: String, parts: Parts, presence: Presence, fieldLengths: FieldLengths?,
        column: StringColumn?, storedTexts: StoredTexts?, numbers: NumericColumn?,
        dates: NumericColumn?
    ) {
        self.name = name
        known = AttributeTable.definition(named: name)
        self.parts = parts
        self.presence = presence
        self.fieldLengths = fieldLengths
        self.column = column
        self.storedTexts = storedTexts
        self.numbers = numbers
        self.dates = dates
    }

    /// What a schema says of the attribute; looked up only if it is a custom one.
    func definition(in schema: AttributeSchema) -> AttributeDefinition? {
        known ?? schema.definition(named: name)
    }

    /// Whether the attribute has texts that are only in terms and in the stored documents.
    package var isTextContent: Bool {
        parts.contains(.text) && parts.isDisjoint(with: [.strings, .stored, .identifiers])
    }

    /// The texts as a column, for order and counts; nil without texts, and for text content.
    ///
    /// Where the file has none it is made in memory when this is first asked for, which takes some
    /// 2 µs a document. Patterns are decided without it.
    package var strings: StringColumn? { column ?? storedTexts?.column }
}
