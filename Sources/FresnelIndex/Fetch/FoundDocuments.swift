/// The documents of one segment that a search found: how many, and which, once somebody asks.
struct FoundDocuments: Sendable {
    /// How many.
    let count: Int
    private let source: Source

    private enum Source: Sendable {
        case gathered(DocumentSet)
        /// What matches, among all documents of the segment.
        case matching(PlannedExpression, documentCount: Int)
    }

    /// Documents that are known.
    ///
    /// - Parameter count: how many; counted if it is not given.
    init(_ documents: DocumentSet, count: Int? = nil) {
        self.count = count ?? documents.count
        source = .gathered(documents)
    }

    /// Documents that are counted, but not gathered.
    init(count: Int, matching expression: PlannedExpression, of documentCount: Int) {
        self.count = count
        source = .matching(expression, documentCount: documentCount)
    }

    /// The documents, if they were gathered.
    var known: DocumentSet? {
        if case .gathered(let documents) = source { documents } else { nil }
    }

    /// The documents; gathered now if they were not.
    func gathered(by matcher: inout SegmentMatcher) throws(SearchStop) -> DocumentSet {
        switch source {
        case .gathered(let documents): documents
        case .matching(let expression, let documentCount):
            try matcher.matches(expression, in: .all(of: documentCount))
        }
    }
}
