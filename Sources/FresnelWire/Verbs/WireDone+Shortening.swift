// Answers about queries that fit their frames.

extension [WireWarning] {
    /// The warnings in at most `limit` bytes; the last says how many are missing.
    fileprivate func shortened(to limit: Int) -> [WireWarning] {
        let short = map { warning in
            var copy = warning
            copy.message = warning.message.shortened(to: 512)
            return copy
        }
        let kept = short.prefix(within: limit - 128)
        guard kept.count < count else { return kept }
        return kept + [.note("\(count - kept.count) more warnings are left out")]
    }
}

extension WireWarning {
    static func note(_ text: String) -> WireWarning {
        var warning = WireWarning()
        warning.message = text
        return warning
    }
}

extension [WireShardReport] {
    /// The reports with short texts, without any when they still do not fit.
    fileprivate func shortened(to limit: Int) -> [WireShardReport] {
        var copy = self
        for bytes in [256, 0] where copy.reduce(0, { $0 + $1.fieldBytes }) > limit {
            for number in copy.indices {
                copy[number].message = copy[number].message.shortened(to: bytes)
            }
        }
        return copy
    }
}

extension WireAccepted {
    func shortened(to limit: Int) -> WireAccepted {
        var copy = self
        copy.warnings = warnings.shortened(to: limit - 64)
        return copy
    }
}

extension WirePartDone {
    /// A report that is left out makes its shard count as failed, which is what it then is.
    func shortened(to limit: Int) -> WirePartDone {
        var copy = self
        if hasError { copy.error = error.shortened }
        copy.facets = facets.fitted(to: limit / 4)
        let room = limit - (10 << 10) - copy.facets.reduce(0) { $0 + $1.fieldBytes }
        copy.shards = shards.shortened(to: room).prefix(within: room)
        return copy
    }
}

extension WireDone {
    /// Reports of whole shards go first: what is missing is what the reader needs to know.
    func shortened(to limit: Int) -> WireDone {
        var copy = self
        if hasError { copy.error = error.shortened }
        // Cursors stay whole: 2 of at most 12 KiB.
        let cursorBytes = next.count + previous.count
        let share = cursorBytes > 0 ? 8 << 10 : 16 << 10
        copy.warnings = warnings.shortened(to: share)
        copy.snapshot = snapshot.prefix(within: share)
        copy.cutFacets(to: limit / 4)
        let facetBytes = copy.facets.reduce(0) { $0 + $1.fieldBytes }
        let nameBytes = booleans.reduce(0) { $0 + $1.utf8.count + 4 }
        let room = max(
            0, limit - (16 << 10) - 2 * share - cursorBytes - facetBytes - nameBytes)
        copy.shards = shards.shortened(to: room)
        guard copy.shards.prefix(within: room).count < shards.count else { return copy }
        let ordered =
            copy.shards.filter { $0.status != .complete }
            + copy.shards.filter { $0.status == .complete }
        copy.shards = ordered.prefix(within: room)
            .sorted { ($0.index, $0.shard) < ($1.index, $1.shard) }
        let missing = shards.count - copy.shards.count
        copy.warnings.append(
            .note("\(missing) shard reports are left out: they do not fit one message"))
        return copy
    }
}
