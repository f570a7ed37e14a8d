/// Finds the documents of a segment that tokens alone cannot decide (`IrregularScalars`).
enum IrregularDocuments {
    /// The attribute whose text is not in the stored bytes: references such as `&trade;` hide it.
    private static let html = "HTMLContentData"

    /// The documents, ascending; a few too many do no harm.
    static func list(of segment: Segment) -> [DocumentNumber] {
        let page = segment.attribute(named: html)?.presence
        let stored = segment.stored
        var documents: [DocumentNumber] = []
        for number in 0..<DocumentNumber(segment.documentCount)
        where page?.contains(number) ?? false
            || IrregularScalars.occur(in: stored.encoded(number))
        {
            documents.append(number)
        }
        return documents
    }
}
