import FresnelKernels
import FresnelQuery

/// Gathers documents from many short lists, as a list while they are few and as bits once they are
/// many.
struct DocumentCollector: ~Copyable {
    private let documentCount: Int
    /// Documents above which they are kept as bits.
    ///
    /// A list of several parts must be sorted, which costs more a document than clearing and
    /// counting bits does.
    private let listLimit: Int
    private var list: [DocumentNumber] = []
    /// How many parts were added to `list`.
    private var parts = 0
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
        guard hasRoom(for: documents.count) else { return try insertBits(documents, &pace) }
        parts += 2
        for index in documents.indices where Int(documents[index]) < documentCount {
            try pace.step()
            list.append(documents[index])
        }
    }

    /// Adds the documents that have a number in an interval.
    mutating func insert(
        _ column: NumericColumn, _ interval: NumericInterval, _ pace: inout CheckPace
    ) throws(SearchStop) {
        let entries = column.entries(in: interval)
        guard column.sortedDocuments.width > 0 else {
            let documents = column.sortedDocuments.plain
            return try insert(documents.span.extracting(entries), &pace)
        }
        let unpacked = column.sortedDocuments.list(entries)
        try insert(unpacked.span, &pace)
    }

    /// Adds the documents that have a term in an attribute of the filter.
    mutating func insert(
        _ term: TermID, of postings: PostingLists, in filter: AttributeFilter,
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        let count = postings.documentCount(of: term)
        guard count > 0 else { return }
        guard hasRoom(for: count) else {
            var set = takeBits()
            try postings.insertDocuments(of: term, in: filter, into: &set, &pace)
            bits = set
            return
        }
        parts += 1
        try postings.appendDocuments(of: term, in: filter, to: &list, &pace)
    }

    /// What was gathered.
    consuming func documents() -> DocumentSet {
        if let bits { return DocumentSet(.bits(bits), of: documentCount) }
        if parts > 1 { SortedNumbers.sortDistinct(&list) }
        return DocumentSet(.list(list), of: documentCount)
    }

    /// The first list stays one, as it is sorted already.
    private func hasRoom(for count: Int) -> Bool {
        guard bits == nil else { return false }
        let limit = list.isEmpty ? listLimit : listLimit / 64
        return list.count + count <= max(64, limit)
    }

    private mutating func insertBits(
        _ documents: Span<DocumentNumber>, _ pace: inout CheckPace
    ) throws(SearchStop) {
        var set = takeBits()
        for start in stride(from: 0, to: documents.count, by: CheckPace.interval) {
            let end = min(documents.count, start + CheckPace.interval)
            try pace.step(end - start)
            set.insertInside(documents.extracting(start..<end))
        }
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
