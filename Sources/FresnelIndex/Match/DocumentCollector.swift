import FresnelKernels

/// Gathers documents from many short lists, as a list while they are few and as bits once they are
/// many.
struct DocumentCollector: ~Copyable {
    private let documentCount: Int
    /// Documents above which they are kept as bits: a list must be sorted in one go.
    private let listLimit: Int
    private var list: [DocumentNumber] = []
    private var bits: Bitset?

    /// Starts empty for a segment.
    init(of documentCount: Int) {
        self.documentCount = documentCount
        listLimit = min(documentCount / 16, 16 * CheckPace.interval)
    }

    /// Adds documents in any order.
    mutating func insert(
        _ documents: Span<DocumentNumber>, _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard bits == nil, list.count + documents.count <= listLimit else {
            return try insertBits(documents, &pace)
        }
        for index in documents.indices where Int(documents[index]) < documentCount {
            try pace.step()
            list.append(documents[index])
        }
    }

    /// Adds the documents that have a term in an attribute of the filter.
    mutating func insert(
        _ term: TermID, of postings: PostingLists, in filter: AttributeFilter,
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        let count = postings.documentCount(of: term)
        guard bits == nil, list.count + count <= listLimit else {
            var set = takeBits()
            try postings.insertDocuments(of: term, in: filter, into: &set, &pace)
            bits = set
            return
        }
        try postings.appendDocuments(of: term, in: filter, to: &list, &pace)
    }

    /// What was gathered.
    consuming func documents() -> DocumentSet {
        if let bits { return DocumentSet(.bits(bits), of: documentCount) }
        SortedNumbers.sortDistinct(&list)
        return DocumentSet(.list(list), of: documentCount)
    }

    private mutating func insertBits(
        _ documents: Span<DocumentNumber>, _ pace: inout CheckPace
    ) throws(SearchStop) {
        var set = takeBits()
        try set.insertKnown(documents, &pace)
        bits = set
    }

    /// The bits so far, moved out so that writing to them copies nothing.
    private mutating func takeBits() -> Bitset {
        if let set = bits.take() { return set }
        var set = Bitset(count: documentCount)
        set.insert(list.span)
        list = []
        return set
    }
}
