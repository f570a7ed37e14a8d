import FresnelModel
import FresnelQuery

/// Gathers what the documents of a new segment have of one attribute.
///
/// Texts become values at the end: only then it is known whether they are sentences, or the
/// identifiers, which need no column, so that nobody looks for equal ones or sorts them.
struct FieldBuilder {
    var contents: AttributeContents
    /// Text content has terms but no column of values.
    private let isTextContent: Bool
    /// The texts of all rows; until the end the rows have their places here.
    private var texts = StringArena()

    init(name: String) {
        contents = AttributeContents(name: name)
        isTextContent = AttributeTable.definition(named: name)?.isTextContent ?? false
    }

    /// Adds a text to the row of the open document.
    mutating func append(_ text: Span<UInt8>) {
        contents.hasText = true
        guard !isTextContent else { return }
        contents.ranks.elements.append(UInt32(texts.count))
        texts.append(text)
    }

    /// The contents.
    ///
    /// - Parameter identifiers: those of all documents of the segment.
    func finish(_ packing: SegmentPacking, _ identifiers: StringArena) -> AttributeContents {
        guard texts.count > 0, !packing.hasAllColumns(identifiers.count) else { return column() }
        var contents = contents
        if areThose(identifiers) {
            contents.form = .identifiers
        } else if contents.isLongText(packing) {
            contents.form = .stored
        } else {
            return column()
        }
        return contents
    }

    /// Whether the texts are the identifiers.
    private func areThose(_ identifiers: StringArena) -> Bool {
        contents.name == DocumentField.uniqueIdentifier && !contents.ranks.isMultiValued
            && contents.documents.count == identifiers.count && texts.isEqual(to: identifiers)
    }

    /// The contents with values sorted and rows holding ranks.
    func column() -> AttributeContents {
        var values = TextInterner()
        let numbers = (0..<texts.count).map { values.number(of: texts[$0]) }
        let (sorted, ranks) = values.sorted()
        var contents = contents
        contents.values = sorted
        for (place, number) in numbers.enumerated() {
            contents.ranks.elements[place] = ranks[Int(number)]
        }
        return contents
    }
}
