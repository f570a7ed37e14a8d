/// All operations on one key, and so what a read may show of it.
///
/// One writer owns a key and has one batch under way at a time, so the operations are in an order.
/// Where the outcome of one is unknown, the key has several possible states from then on, until an
/// acknowledged operation decides. Source of the idea: Wing & Gong 1993, "Testing and verifying
/// concurrent objects", which serial writers make linear in time.
package struct KeyTimeline: Sendable {
    /// Whether an operation happened.
    package enum Certainty: Sendable {
        /// It was acknowledged.
        case certain
        /// Nobody knows.
        case possible
    }

    struct Step: Sendable {
        let operation: KeyOperation
        let started: Int64
        /// When it was answered or given up; for one that turned out later to have happened, then.
        let answered: Int64
        /// The earliest moment from which on it must be seen: its answer, or the end of a complete
        /// read that showed it or something newer.
        var known: Int64
        let ended: Int64
        let certainty: Certainty
        /// What the key may be once it has ended.
        let possible: Set<DocumentState>
    }

    private(set) var steps: [Step] = []
    /// Whether an operation began before the one before it had ended.
    private(set) var isSerial = true

    /// The states that some operation made, or may have made.
    private(set) var everPossible: Set<DocumentState> = [.absent]

    package init() {}

    /// Adds the next operation.
    ///
    /// - Parameter settled: when it turned out that it had happened, if not by its answer.
    package mutating func append(
        _ operation: KeyOperation, _ certainty: Certainty, started: Int64, ended: Int64,
        settled: Int64 = 0
    ) {
        let before = steps.last?.possible ?? [.absent]
        if let last = steps.last, last.ended > started { isSerial = false }
        var after = Set(before.map { $0.applying(operation) })
        if certainty == .possible { after.formUnion(before) }
        everPossible.formUnion(after)
        let answered = max(ended, settled, steps.last?.answered ?? 0)
        steps.append(
            Step(
                operation: operation, started: started, answered: answered, known: answered,
                ended: ended, certainty: certainty, possible: after))
    }

    /// What a read in this time may show, if it is whole.
    package func allowed(from start: Int64, to end: Int64) -> Set<DocumentState> {
        allowed(from: start, to: end) { $0.known }
    }

    /// The same as if nobody had read before: only what was answered counts.
    package func answered(from start: Int64, to end: Int64) -> Set<DocumentState> {
        allowed(from: start, to: end) { $0.answered }
    }

    private func allowed(
        from start: Int64, to end: Int64, known: (Step) -> Int64
    ) -> Set<DocumentState> {
        // Both times only grow with the steps.
        let first = steps.partitioningIndex { known($0) >= start }
        var front = first > 0 ? steps[first - 1].possible : [.absent]
        var allowed = front
        for step in steps[first...] {
            guard step.started <= end else { break }
            var next = Set(front.map { $0.applying(step.operation) })
            if step.certainty == .possible { next.formUnion(front) }
            allowed.formUnion(next)
            front = next
        }
        return allowed
    }

    /// What can have been there at any time up to one.
    package func everPossible(until end: Int64) -> Set<DocumentState> {
        steps.prefix { $0.started <= end }.reduce(into: [.absent]) { $0.formUnion($1.possible) }
    }

    /// Whether any operation that began by then made what an answer shows.
    func isMade(_ observation: Observation, by end: Int64) -> Bool {
        guard everPossible.contains(where: { $0.isShown(by: observation) }) else { return false }
        return everPossible(until: end).contains { $0.isShown(by: observation) }
    }

    /// Remembers that a complete read showed the version of an acknowledged operation: from its end
    /// on nobody may see an older one.
    mutating func see(_ observation: Observation, at end: Int64) {
        guard
            let index = steps.lastIndex(where: { step in
                switch step.operation {
                case .index(_, let version, _), .update(_, let version):
                    version == observation.version
                case .delete, .deleteGroup: false
                }
            }), steps[index].certainty == .certain
        else { return }
        // What came before it has happened by then, too, or has no effect any more.
        for earlier in steps[...index].indices.reversed() {
            guard steps[earlier].known > end else { break }
            steps[earlier].known = end
        }
    }
}

extension Array {
    /// The first index whose element satisfies a predicate that holds for all behind it, too.
    func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
