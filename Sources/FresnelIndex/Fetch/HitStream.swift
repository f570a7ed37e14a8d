import FresnelKernels
import FresnelModel
package import FresnelWire

// Fetch: sorted runs, one a segment, are merged while hits are taken. A heap of runs has the run
// with the first key at its top; stored values are made when a hit is taken, and keys then, too, or
// when runs cannot be told apart by the scores of their next hits.
// A run whose window is used up stays at the top until it has looked for its next hits.

/// The hits of one search, ready to be taken in order.
package struct HitStream: Sendable {
    private var runs: [HitRun]
    /// Numbers of runs that are not at their end; the first key is at the top.
    private var heap: [Int] = []
    private let plan: SearchPlan
    /// Whether others may say which hits are not wanted any more.
    private let hasThreshold: Bool
    /// What hits must score to be wanted still.
    private let floor: ScoreFloor?
    private let control: SearchControl
    /// How many hits are left to take, at most.
    package private(set) var remaining: Int
    /// Hits to be passed over before the first that is wanted.
    private var surplus: Int
    /// The sort key of the last hit of the last batch.
    private var lastKey: [UInt8] = []

    /// The heap of a single run.
    private static let onlyFirst = [0]

    /// Hits that are kept in order, over all segments; at most `Limits.searchWindowHits` and one
    /// more for each segment.
    package var keptHits: Int { runs.reduce(0) { $0 + $1.kept } }

    /// The next hits as a batch for the wire.
    package struct Batch: Sendable {
        /// A hit batch (`HitBatch`).
        package let payload: [UInt8]
        /// How many hits it has.
        package let items: Int
        /// Whether nothing is left.
        package let isLast: Bool
        /// A sort key that no later hit precedes; empty at the end and where hits have no order.
        ///
        /// It is that of the next hit, or of the last taken where looking for more was stopped.
        package let bound: [UInt8]
    }

    /// Takes the next hits.
    ///
    /// A search that is over its time or cancelled ends a batch early, with no hit at worst, and
    /// not as the last: what is left was not looked at.
    ///
    /// - Parameters:
    ///   - maximumItems: the most hits of the batch, at least 1.
    ///   - maximumBytes: the batch ends before it passes this; one hit always fits.
    /// - Throws: when a stored document cannot be read.
    package mutating func nextBatch(
        maximumItems: Int, maximumBytes: Int
    ) throws(WireError) -> Batch {
        let items = min(max(1, maximumItems), WireLimits.standard.hits)
        let bytes = min(maximumBytes, Int(Limits.hitBatchBytes))
        var pace = CheckPace(control)
        var isSettled = settle()
        let isBare = plan.isBare
        if isBare, isSettled, surplus == 0, remaining > 0, !isOver, let number = heap.first,
            let batch = wholeBatch(of: number, atMost: min(items, remaining), below: bytes)
        {
            remaining -= batch.items
            if !runs[number].needsWindow { sink(number) }
            isSettled = settle()
            if !isSettled { lastKey = runs[number].lastKey }
            return Batch(
                payload: batch.payload, items: batch.items, isLast: isSettled && remaining == 0,
                bound: bound(isSettled))
        }
        let plan = plan
        let isSlow = plan.highlighter != nil || !plan.explained.isEmpty
        var writer = HitBatchWriter(capacity: min(items, remaining, 64))
        while isSettled, remaining > 0, writer.count < items, let number = heap.first {
            if writer.count > 0, mustHurry(isSlow, &pace) { break }
            let isTaken = try writer.append(below: bytes) { keys, bodies throws(WireError) in
                try runs[number].write(plan, isBare: isBare, to: &keys, &bodies)
            }
            guard isTaken else { break }
            remaining -= 1
            advance(number)
            isSettled = settle()
        }
        let isLast = isSettled && remaining == 0
        if !isLast, writer.count > 0 { lastKey = writer.lastKey }
        return Batch(
            payload: writer.bytes(), items: writer.count, isLast: isLast, bound: bound(isSettled))
    }

    /// The next hits of a run laid out at once; nil where that is not possible.
    private mutating func wholeBatch(
        of number: Int, atMost count: Int, below bytes: Int
    ) -> (payload: [UInt8], items: Int)? {
        guard plan.isOrdered else { return runs[number].bareBatch(atMost: count, below: bytes) }
        // Others take turns, or may be told that nobody wants them any more.
        guard heap.count == 1, !hasThreshold || control.threshold == nil else { return nil }
        return runs[number].keyedBatch(atMost: count, below: bytes)
    }

    private mutating func bound(_ isSettled: Bool) -> [UInt8] {
        guard isSettled else { return lastKey }
        guard remaining > 0, let number = heap.first else { return [] }
        return runs[number].key().bytes
    }

    /// Whether a search is over its time or cancelled.
    private var isOver: Bool {
        do throws(SearchStop) {
            try control.check()
            return false
        } catch {
            return true
        }
    }

    /// Whether a search is over its time or cancelled; asked before every hit that takes long.
    private func mustHurry(_ isSlow: Bool, _ pace: inout CheckPace) -> Bool {
        do throws(SearchStop) {
            try pace.step(isSlow ? CheckPace.interval : CheckPace.interval / 64)
        } catch {
            return true
        }
        return false
    }

    /// Makes the run at the top of the heap show the next hit that is wanted; false when the search
    /// was stopped before that.
    private mutating func settle() -> Bool {
        var pace = CheckPace(control)
        do throws(SearchStop) {
            while remaining > 0 {
                guard let number = heap.first else {
                    remaining = 0
                    return true
                }
                if runs[number].needsWindow {
                    try runs[number].refill(floor: floor, control: control)
                    sink(number)
                } else if surplus > 0 {
                    try pace.step()
                    surplus -= 1
                    advance(number)
                } else {
                    // A hit behind the last that is wanted of the whole answer: so are all others.
                    if hasThreshold, let threshold = control.threshold,
                        OrderedKey(bytes: threshold) < runs[number].key()
                    {
                        remaining = 0
                    }
                    return true
                }
            }
        } catch {
            return false
        }
        return true
    }

    /// Moves the run at the top of the heap on.
    private mutating func advance(_ number: Int) {
        runs[number].advance()
        if !runs[number].needsWindow { sink(number) }
    }

    /// Puts the run at the top of the heap where its key belongs.
    private mutating func sink(_ number: Int) {
        if runs[number].isAtEnd {
            guard heap.count > 1 else { return heap = [] }
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        siftDown(from: 0)
    }

    private mutating func siftDown(from start: Int) {
        var place = start
        while true {
            var first = place
            for child in 2 * place + 1...2 * place + 2
            where child < heap.count && precedes(heap[child], heap[first]) {
                first = child
            }
            guard first != place else { return }
            heap.swapAt(place, first)
            place = first
        }
    }

    private mutating func precedes(_ left: Int, _ right: Int) -> Bool {
        if let mine = runs[left].place, let other = runs[right].place, mine != other {
            return mine < other
        }
        let (mine, other) = (runs[left].key().bytes, runs[right].key().bytes)
        let order = ByteOrder.compare(mine.span, other.span)
        return order == 0 ? left < right : order < 0
    }
}

extension HitStream {
    /// The hits of some runs.
    ///
    /// - Parameters:
    ///   - available: how many hits the runs have.
    ///   - floor: what the search found out about the scores that matter.
    init(
        _ runs: [HitRun], available: Int, of plan: SearchPlan, floor: ScoreFloor?,
        control: SearchControl
    ) {
        let isBackwards = plan.page?.isBackwards == true
        let remaining = min(plan.limit ?? available, available)
        let isOne = runs.count == 1 && !runs[0].isAtEnd
        self.init(
            runs: runs,
            heap: isOne ? Self.onlyFirst : runs.indices.filter { !runs[$0].isAtEnd },
            plan: plan, hasThreshold: plan.isOrdered && !isBackwards, floor: floor,
            control: control, remaining: remaining,
            surplus: isBackwards ? available - remaining : 0)
        for place in (0..<heap.count / 2).reversed() { siftDown(from: place) }
    }
}
