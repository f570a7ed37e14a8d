// A heap of the best so far with the worst at the top. Most documents lose against the top by one
// comparison of two numbers; only ties ask for more.

/// The first so many of a sequence of candidates.
struct TopPlaces {
    /// A found document: where it stands in the list of found documents, and its first sort field.
    struct Candidate: Hashable {
        let first: UInt64
        let place: UInt32
    }

    private let limit: Int
    private var heap: [Candidate] = []
    private var isHeap = false

    init(limit: Int) {
        self.limit = limit
        heap.reserveCapacity(limit)
    }

    /// The first field of the last of the first; nil while there is room.
    @inline(__always)
    var worstFirst: UInt64? { isHeap ? heap[0].first : nil }

    /// Keeps a candidate if it is among the first.
    @inline(__always)
    mutating func insert(
        _ candidate: Candidate, by precedes: (Candidate, Candidate) -> Bool
    ) {
        guard heap.count >= limit else {
            heap.append(candidate)
            return
        }
        guard limit > 0 else { return }
        if !isHeap { makeHeap(by: precedes) }
        guard candidate.first <= heap[0].first, precedes(candidate, heap[0]) else { return }
        heap[0] = candidate
        siftDown(from: 0, by: precedes)
    }

    /// The places kept, in order.
    func sorted(by precedes: (Candidate, Candidate) -> Bool) -> [UInt32] {
        heap.sorted(by: precedes).map(\.place)
    }

    private mutating func makeHeap(by precedes: (Candidate, Candidate) -> Bool) {
        isHeap = true
        for place in (0..<heap.count / 2).reversed() { siftDown(from: place, by: precedes) }
    }

    private mutating func siftDown(
        from start: Int, by precedes: (Candidate, Candidate) -> Bool
    ) {
        var place = start
        while true {
            var worst = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && precedes(heap[worst], heap[child]) {
                worst = child
            }
            guard worst != place else { return }
            heap.swapAt(place, worst)
            place = worst
        }
    }
}
