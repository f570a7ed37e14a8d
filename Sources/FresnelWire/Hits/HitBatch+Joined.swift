// Batches that a small credit cut, put together again.

extension HitBatch {
    /// The same hits in the same order: alike neighbours are one batch, as far as `limit` bytes go.
    package static func joined(_ batches: [HitBatch], below limit: Int) -> [HitBatch] {
        var joined: [HitBatch] = []
        var group = batches[...].prefix(0)
        var bytes = 0
        for place in batches.indices {
            let batch = batches[place]
            let isNext = group.last.map(batch.isLike) ?? true
            if !isNext || bytes + batch.bytes.count > limit {
                joined += one(of: group)
                (group, bytes) = (batches[place..<place], 0)
            }
            group = batches[group.startIndex...place]
            bytes += batch.bytes.count
        }
        return joined + one(of: group)
    }

    /// Whether the hits of both may stand in one batch.
    private func isLike(_ other: HitBatch) -> Bool {
        switch (self, other) {
        case (.whole, .whole): true
        case (.frontCoded(let hits), .frontCoded(let others)): hits.isLike(others)
        default: false
        }
    }

    /// One batch of several alike ones; themselves where that cannot be.
    private static func one(of batches: ArraySlice<HitBatch>) -> [HitBatch] {
        guard batches.count > 1 else { return Array(batches) }
        let coded = batches.compactMap { batch in
            if case .frontCoded(let hits) = batch { hits } else { nil }
        }
        if !coded.isEmpty {
            return FrontCodedHits.joined(coded).map { [.frontCoded($0)] } ?? Array(batches)
        }
        var writer = HitBatchWriter()
        for case .whole(let batch) in batches { writer.append(0..<batch.count, of: batch) }
        // Only their size can be wrong, and that of their sum is below the limit.
        return (try? HitBatchReader(writer.bytes())).map { [.whole($0)] } ?? Array(batches)
    }
}
