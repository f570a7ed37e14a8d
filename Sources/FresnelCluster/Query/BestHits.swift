/// Which of the hits that arrived at the broker are the first *k* in the final order.
///
/// Every part sends its hits in order, so what it has among the first k are its first ones, and one
/// number a part says which. A new hit pushes out the last of them: a step costs one comparison a
/// part, and nothing is kept but the numbers.
struct BestHits: Sendable {
    /// How many are wanted in all: k.
    let limit: UInt64
    /// Of each part, how many of its first hits belong to the best.
    private var counts: [UInt64]
    /// Of each part, the hits that were looked at.
    private var seen: [UInt64]
    private var total: UInt64 = 0

    init(limit: UInt64, parts: Int) {
        self.limit = limit
        counts = Array(repeating: 0, count: parts)
        seen = counts
    }

    /// One more part takes part.
    mutating func addPart() {
        counts.append(0)
        seen.append(0)
    }

    /// Takes in the hits that arrived for a part; says whether that changed anything.
    mutating func look(at number: Int, of parts: [QueryPart]) -> Bool {
        let received = parts[number].receivedItems
        defer { seen[number] = received }
        // Where one of its hits was pushed out, those behind it are out as well.
        guard received > seen[number], counts[number] == seen[number], received > 0 else {
            return false
        }
        let former = counts[number]
        counts[number] = min(received, limit)
        total += counts[number] - former
        while total > limit, let last = last(of: parts) {
            counts[last.number] -= 1
            total -= 1
        }
        return counts[number] > former
    }

    /// Forgets the hits of a part that were dropped unsent.
    mutating func forget(_ number: Int, of parts: [QueryPart]) {
        let kept = min(counts[number], parts[number].hits.consumedItems)
        total -= counts[number] - kept
        counts[number] = kept
        // Nothing more of it counts.
        seen[number] = .max
    }

    /// The k-th best key, once k hits are known and not all of them were passed on.
    func threshold(of parts: [QueryPart]) -> [UInt8]? {
        guard total == limit else { return nil }
        return last(of: parts).map { Array($0.key) }
    }

    /// The last of the best hits that are still here.
    private func last(of parts: [QueryPart]) -> (number: Int, key: ArraySlice<UInt8>)? {
        var last: (number: Int, key: ArraySlice<UInt8>)?
        for number in parts.indices where counts[number] > 0 {
            guard let key = parts[number].hits.key(ofHit: counts[number] - 1) else { continue }
            if let last, key.lexicographicallyPrecedes(last.key) { continue }
            last = (number, key)
        }
        return last
    }
}
