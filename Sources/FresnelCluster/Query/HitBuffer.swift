import FresnelKernels
package import FresnelWire

/// Hits of one part that arrived and were not released yet, in the order in which they came.
package struct HitBuffer: Sendable {
    /// A batch with the number of its first hit among all of the part.
    package struct Buffered: Sendable {
        package fileprivate(set) var batch: HitBatch
        package fileprivate(set) var firstHit: UInt64
        /// As it came.
        let byteCount: Int
    }

    package private(set) var batches: [Buffered] = []
    /// The next hit inside `batches[0]`.
    private var position = 0
    /// Hits and bytes taken out: what may be granted anew.
    private(set) var consumedItems: UInt64 = 0
    private(set) var consumedBytes: UInt64 = 0

    package var isEmpty: Bool { batches.isEmpty }

    /// The batch of the next hit, and its place there; nil of a front-coded one, whose hits are not
    /// taken out one by one.
    var head: (batch: HitBatchReader, position: Int)? {
        guard case .whole(let batch)? = batches.first?.batch else { return nil }
        return (batch, position)
    }

    /// The sort key of the next hit.
    var headKey: ArraySlice<UInt8>? { head.map { $0.batch.key($0.position) } }

    /// The next batch, or what is left of a front-coded one; nil once hits of another were taken
    /// out one by one.
    var nextBatch: HitBatch? { position == 0 ? batches.first?.batch : nil }

    /// Takes the first hits out of a front-coded batch that is next, as a batch of their own.
    ///
    /// - Parameters:
    ///   - items: the most of them.
    ///   - limit: the most bytes of that batch.
    /// - Returns: nil where not one fits, and of another batch.
    mutating func takeFrontCoded(items: Int, below limit: Int) -> HitBatch? {
        guard items > 0, case .frontCoded(let batch)? = batches.first?.batch,
            let (first, rest) = batch.split(items: items, below: limit)
        else { return nil }
        batches[0].batch = .frontCoded(rest)
        batches[0].firstHit += UInt64(first.count)
        consumedItems += UInt64(first.count)
        return .frontCoded(first)
    }

    /// Keeps a batch; one without hits costs nothing but its bytes on the way.
    mutating func keep(_ batch: HitBatch, firstHit: UInt64) {
        let byteCount = batch.bytes.count
        guard batch.count > 0 else {
            consumedBytes += UInt64(byteCount)
            return
        }
        batches.append(Buffered(batch: batch, firstHit: firstHit, byteCount: byteCount))
    }

    /// Takes out the next hits, none of them beyond the next batch.
    package mutating func skip(_ count: Int) {
        guard !batches.isEmpty else { return }
        precondition(position + count <= batches[0].batch.count, "hits of several batches")
        consumedItems += UInt64(count)
        position += count
        guard position == batches[0].batch.count else { return }
        consumedBytes += UInt64(batches[0].byteCount)
        position = 0
        batches.removeFirst()
    }

    /// Forgets what was not taken out.
    mutating func discard() {
        batches = []
        position = 0
    }

    /// The sort key of a hit by its number among all that arrived; nil when it was taken out.
    func key(ofHit number: UInt64) -> ArraySlice<UInt8>? {
        let later = Galloping.end(from: 0, count: batches.count) { batches[$0].firstHit <= number }
        guard later > 0, number >= consumedItems else { return nil }
        let place = Int(number - batches[later - 1].firstHit)
        // Hits have keys in whole batches alone.
        guard case .whole(let batch) = batches[later - 1].batch, place < batch.count
        else { return nil }
        return batch.key(place)
    }
}
