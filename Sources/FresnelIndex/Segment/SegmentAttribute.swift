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
        /// A `StringColumn`; text content has terms but no column.
        package static let strings = Parts(rawValue: 2)
        /// A `NumericColumn` of numbers.
        package static let numbers = Parts(rawValue: 4)
        /// A `NumericColumn` of dates.
        package static let dates = Parts(rawValue: 8)
        /// Its postings stand aside (`Segment.asidePostings`): no wildcard covers the attribute.
        package static let aside = Parts(rawValue: 16)
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
    /// The texts; nil without `.strings`.
    package let strings: StringColumn?
    /// The numbers; nil without `.numbers`.
    package let numbers: NumericColumn?
    /// The dates, in seconds since 2001; nil without `.dates`.
    package let dates: NumericColumn?

    init(
        name: String, parts: Parts, presence: Presence, fieldLengths: FieldLengths?,
        strings: StringColumn?, numbers: NumericColumn?, dates: NumericColumn?
    ) {
        self.name = name
        known = AttributeTable.definition(named: name)
        self.parts = parts
        self.presence = presence
        self.fieldLengths = fieldLengths
        self.strings = strings
        self.numbers = numbers
        self.dates = dates
    }

    /// What a schema says of the attribute; looked up only if it is a custom one.
    func definition(in schema: AttributeSchema) -> AttributeDefinition? {
        known ?? schema.definition(named: name)
    }

    /// Whether the attribute has texts that are only in terms and in the stored documents.
    package var isTextContent: Bool { parts.contains(.text) && !parts.contains(.strings) }
}
