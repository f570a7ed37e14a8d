/// The best scores met so far, as many as hits are wanted.
///
/// The least of them is a floor: a hit with less is none of the first so many, however many more
/// documents there are.
struct BestScores {
    private let limit: Int
    /// A heap with the least at its top.
    private var heap: [Double] = []

    /// Gathers `limit` scores, at least 1.
    init(limit: Int) {
        precondition(limit > 0, "the best \(limit) scores")
        self.limit = limit
    }

    /// The least of the best; nil while there are fewer.
    var floor: Double? { heap.count < limit ? nil : heap[0] }

    /// The floor, or a greater one that is known from elsewhere.
    func floor(atLeast other: Double?) -> Double? {
        guard let floor, let other else { return self.floor ?? other }
        return max(floor, other)
    }

    /// How many of the best are above a score.
    func count(above score: Double) -> Int { heap.count { $0 > score } }

    /// Takes some scores into account, none of them NaN.
    mutating func insert(contentsOf scores: [Double]) {
        var least = floor ?? -.infinity
        for score in scores where score > least {
            insert(score)
            least = floor ?? -.infinity
        }
    }

    /// Takes a score into account; NaN does not count.
    mutating func insert(_ score: Double) {
        guard heap.count >= limit else {
            guard !score.isNaN else { return }
            // Only now: until then they are handed on, and are copied by the first that adds one.
            if heap.isEmpty { heap.reserveCapacity(min(limit, 16)) }
            heap.append(score)
            return siftUp(from: heap.count - 1)
        }
        guard score > heap[0] else { return }
        heap[0] = score
        siftDown()
    }

    private mutating func siftUp(from start: Int) {
        var place = start
        while place > 0, heap[place] < heap[(place - 1) / 2] {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func siftDown() {
        var place = 0
        while true {
            var least = place
            let (left, right) = (2 * place + 1, 2 * place + 2)
            if left < heap.count, heap[left] < heap[least] { least = left }
            if right < heap.count, heap[right] < heap[least] { least = right }
            guard least != place else { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
