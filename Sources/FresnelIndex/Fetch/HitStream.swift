import FresnelKernels
import FresnelModel
package import FresnelWire

// Fetch: sorted runs, one a segment, are merged while hits are taken. A heap of runs has the run
// with the first key at its top; keys and stored values are made when a hit is taken, never before.

/// The hits of one search, ready to be taken in order.
package struct HitStream: Sendable {
    private var runs: [HitRun]
    /// Numbers of runs that are not at their end; the first key is at the top.
    private var heap: [Int] = []
    private let selection: AttributeSelection
    /// Marks what matched, where that was asked for.
    private let highlighter: HitHighlighter?
    /// Ends a batch early: a document may take long to mark.
    private let control: SearchControl?
    /// How many hits are left to take.
    package private(set) var remaining: Int

    /// - Parameter keepsLast: whether of more than `limit` hits the last are kept, not the first.
    init(
        _ runs: [HitRun], selection: AttributeSelection, limit: Int?, keepsLast: Bool = false,
        highlighter: HitHighlighter? = nil, control: SearchControl? = nil
    ) {
        self.runs = runs
        self.selection = selection
        self.highlighter = highlighter
        self.control = control
        let available = runs.reduce(0) { $0 + $1.documents.count }
        remaining = min(limit ?? available, available)
        heap = runs.indices.filter { runs[$0].headKey != nil }
        for place in (0..<heap.count / 2).reversed() { siftDown(from: place) }
        guard keepsLast, available > remaining else { return }
        let kept = remaining
        remaining = available
        while remaining > kept, let number = heap.first { advance(number) }
    }

    /// The next hits as a batch for the wire.
    package struct Batch: Sendable {
        /// A hit batch (`HitBatchReader`).
        package let payload: [UInt8]
        /// How many hits it has.
        package let items: Int
        /// Whether nothing is left.
        package let isLast: Bool
    }

    /// Takes the next hits.
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
        var writer = HitBatchWriter()
        while remaining > 0, writer.count < items, let number = heap.first {
            if writer.count > 0, mustHurry { break }
            let body = try runs[number].body(selection, highlighter)
            let key = runs[number].headKey ?? []
            let cost = key.count + body.count + HitBatchWriter.overheadPerHit
            if writer.count > 0, writer.byteCount + cost > bytes { break }
            writer.append(key: key, body: body)
            advance(number)
        }
        return Batch(payload: writer.bytes(), items: writer.count, isLast: remaining == 0)
    }

    /// Whether a search that marks its hits is over its time or cancelled.
    private var mustHurry: Bool {
        guard highlighter != nil, let control else { return false }
        do throws(SearchStop) { try control.check() } catch { return true }
        return false
    }

    /// Moves the run at the top of the heap on.
    private mutating func advance(_ number: Int) {
        remaining -= 1
        runs[number].advance()
        if runs[number].headKey == nil {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        siftDown(from: 0)
    }

    private mutating func siftDown(from start: Int) {
        var place = start
        while true {
            var first = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && precedes(heap[child], heap[first]) {
                first = child
            }
            guard first != place else { return }
            heap.swapAt(place, first)
            place = first
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        guard let mine = runs[left].headKey, let other = runs[right].headKey else { return false }
        let order = ByteOrder.compare(mine.span, other.span)
        return order == 0 ? left < right : order < 0
    }
}
