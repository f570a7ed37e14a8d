/// The single lists of a new segment (`SingleLists`).
struct SingleListContents {
    /// The lists, ascending.
    private(set) var lists: [UInt32] = []
    private var documents: [DocumentNumber] = []
    private var attributes: [AttributeOrdinal] = []
    private var positions: [UInt32] = []

    /// Whether a list of one posting, in the first element of one attribute, can be one of these.
    static func takes(_ positions: some Collection<Occurrence>) -> Bool {
        guard let first = positions.first else { return false }
        return positions.count == 1 && first.position < SingleLists.positionLimit
    }

    mutating func append(_ list: Int, _ document: DocumentNumber, _ occurrence: Occurrence) {
        lists.append(UInt32(list))
        documents.append(document)
        attributes.append(occurrence.attribute)
        positions.append(occurrence.position)
    }

    /// - Parameters:
    ///   - count: how many lists there are in all.
    ///   - documentCount: how many documents the segment has.
    func write(count: Int, documents documentCount: Int, to writer: inout SectionWriter) {
        writer.number(lists.count)
        TermSetContents(lists, of: count).write(to: &writer)
        let least = attributes.min() ?? 0
        let attributeWidth = NarrowNumbers.width(of: UInt64((attributes.max() ?? 0) - least))
        let positionWidth = NarrowNumbers.width(of: UInt64(positions.max() ?? 0))
        let documentWidth = SortedDocuments.width(of: documentCount)
        writer.number(Int(least))
        writer.number(attributeWidth)
        writer.number(positionWidth)
        let entries = lists.indices.map { place in
            UInt64(documents[place])
                | UInt64(attributes[place] - least) << UInt64(documentWidth)
                | UInt64(positions[place]) << UInt64(documentWidth + attributeWidth)
        }
        writer.array(
            NarrowNumbers.words(entries, width: documentWidth + attributeWidth + positionWidth))
    }
}
