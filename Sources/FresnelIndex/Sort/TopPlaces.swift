// A heap of the best so far with the worst at the top. Most documents lose against the top by one
// comparison of two numbers; only ties ask for more.

/// A found document with what decides most comparisons of its place in the order of a segment.
struct PlacedHit: Hashable, Sendable {
    /// The first sort field as a number of the segment (`SortColumn.place`); smaller comes first.
    let first: UInt64
    /// The document.
    let document: DocumentNumber
    /// Its score; 0 where nothing is scored.
    let score: Double
}

/// The first so many of a sequence of hits.
struct TopPlaces {
    private let limit: Int
    private var heap: [PlacedHit] = []
    private var isHeap = false

    init(limit: Int) {
        self.limit = limit
        heap.reserveCapacity(min(limit, 16))
    }

    /// The first field of the last of the first; nil while there is room.
    @inline(__always)
    var worstFirst: UInt64? { isHeap ? heap[0].first : nil }

    /// Keeps a hit while there is room for any; false where it has to be compared with others.
    @inline(__always)
    mutating func fill(_ hit: PlacedHit) -> Bool {
        guard heap.count < limit else { return false }
        heap.append(hit)
        return true
    }

    /// Keeps a hit if it is among the first; there is no room for more.
    @inline(__always)
    mutating func insert(_ hit: PlacedHit, by precedes: (PlacedHit, PlacedHit) -> Bool) {
        guard limit > 0 else { return }
        if !isHeap { makeHeap(by: precedes) }
        guard Self.isBefore(hit, heap[0], precedes) else { return }
        heap[0] = hit
        siftDown(from: 0, by: precedes)
    }

    /// Gives the hits kept away, in order.
    mutating func takeSorted(
        control: SearchControl, by precedes: (PlacedHit, PlacedHit) -> Bool
    ) throws(SearchStop) -> [PlacedHit] {
        var hits: [PlacedHit] = []
        swap(&hits, &heap)
        guard hits.count > 16 else {
            Self.sort(&hits, by: precedes)
            return hits
        }
        var pace = CheckPace(control)
        guard hits.count > CheckPace.interval / 64 else {
            hits.sort { Self.isBefore($0, $1, precedes) }
            return hits
        }
        do {
            try hits.sort { left, right in
                try pace.step()
                return Self.isBefore(left, right, precedes)
            }
            return hits
        } catch let stop as SearchStop {
            throw stop
        } catch {
            preconditionFailure("a comparison of hits failed: \(error)")
        }
    }

    /// Sorts a few hits, each into those before it.
    @inline(__always)
    private static func sort(
        _ hits: inout [PlacedHit], by precedes: (PlacedHit, PlacedHit) -> Bool
    ) {
        var sorted = hits.mutableSpan
        for next in sorted.indices.dropFirst() {
            let hit = sorted[next]
            var place = next
            while place > 0, isBefore(hit, sorted[place - 1], precedes) {
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sorted[place] = hit
        }
    }

    /// The first fields decide nearly always, without a call.
    @inline(__always)
    private static func isBefore(
        _ left: PlacedHit, _ right: PlacedHit, _ precedes: (PlacedHit, PlacedHit) -> Bool
    ) -> Bool {
        left.first == right.first ? precedes(left, right) : left.first < right.first
    }

    private mutating func makeHeap(by precedes: (PlacedHit, PlacedHit) -> Bool) {
        isHeap = true
        for place in (0..<heap.count / 2).reversed() { siftDown(from: place, by: precedes) }
    }

    private mutating func siftDown(
        from start: Int, by precedes: (PlacedHit, PlacedHit) -> Bool
    ) {
        var place = start
        while true {
            var worst = place
            let (left, right) = (2 * place + 1, 2 * place + 2)
            if left < heap.count, Self.isBefore(heap[worst], heap[left], precedes) { worst = left }
            if right < heap.count, Self.isBefore(heap[worst], heap[right], precedes) {
                worst = right
            }
            guard worst != place else { return }
            heap.swapAt(place, worst)
            place = worst
        }
    }
}
