import FresnelModel

/// Gathers what the documents of a new segment have of one attribute.
struct FieldBuilder {
    var contents: AttributeContents
    /// Text content has terms but no column of values.
    private let isTextContent: Bool
    private var values = TextInterner()

    init(name: String) {
        contents = AttributeContents(name: name)
        isTextContent = AttributeTable.definition(named: name)?.isTextContent ?? false
    }

    /// Adds a text to the row of the open document.
    mutating func append(_ text: Span<UInt8>) {
        contents.hasText = true
        guard !isTextContent else { return }
        contents.ranks.elements.append(values.number(of: text))
    }

    /// The contents with values sorted and rows holding ranks.
    func finish() -> AttributeContents {
        let (texts, ranks) = values.sorted()
        var contents = contents
        contents.values = texts
        for index in contents.ranks.elements.indices {
            contents.ranks.elements[index] = ranks[Int(contents.ranks.elements[index])]
        }
        return contents
    }
}
