import FresnelKernels

extension DocumentSet {
    /// Documents of the set from `start` on, ascending, at most `count`.
    func documents(from start: Int, atMost count: Int) -> [DocumentNumber] {
        switch form {
        case .all:
            let end = min(documentCount, start + count)
            return start < end ? (start..<end).map { DocumentNumber($0) } : []
        case .list(let list):
            guard let first = DocumentNumber(exactly: start) else { return [] }
            let place = SortedNumbers.lowerBound(of: first, in: list.span, from: 0)
            return Array(list[place..<min(list.count, place + count)])
        case .bits(let bits):
            return bits.numbers(from: start, atMost: count)
        }
    }
}

/// Goes through the documents of a set in runs, with a look at the budget before each.
struct DocumentRuns {
    private let set: DocumentSet
    private let control: SearchControl
    private var start = 0

    init(_ set: DocumentSet, control: SearchControl) {
        self.set = set
        self.control = control
    }

    /// The next run, ascending; nil at the end.
    mutating func next() throws(SearchStop) -> [DocumentNumber]? {
        try control.check()
        let run = set.documents(from: start, atMost: CheckPace.interval)
        guard let last = run.last else { return nil }
        start = Int(last) + 1
        return run
    }
}

/// Some documents as a list, and as bits from the first to the last.
struct DocumentSpan {
    /// The documents, ascending.
    let list: [DocumentNumber]
    private let first: DocumentNumber
    private var bits: Bitset

    init(_ list: [DocumentNumber]) {
        let first = list.first ?? 0
        self.list = list
        self.first = first
        bits = Bitset(count: list.last.map { Int($0 - first) + 1 } ?? 0)
        for document in list { bits.insert(Int(document - first)) }
    }

    /// Whether a document is among them.
    @inline(__always)
    func contains(_ document: DocumentNumber) -> Bool {
        document >= first && bits.contains(Int(document - first))
    }
}
