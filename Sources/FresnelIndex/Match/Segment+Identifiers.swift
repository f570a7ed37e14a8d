extension Segment {
    /// The documents of a set that have one of the identifiers.
    func documents(
        withIdentifiers wanted: [[UInt8]], in candidates: DocumentSet
    ) -> DocumentSet {
        var found: [DocumentNumber] = []
        for identifier in wanted {
            for document in identifiers.documents(withIdentifier: identifier.span)
            where candidates.contains(document) {
                found.append(document)
            }
        }
        SortedNumbers.sortDistinct(&found)
        return DocumentSet(.list(found), of: documentCount)
    }
}
