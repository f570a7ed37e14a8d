extension WireReplicaState {
    /// With its texts cut to what people read.
    var shortened: WireReplicaState {
        var copy = self
        if hasFailure { copy.failure = failure.shortened }
        return copy
    }
}

extension WireReplicaDigest {
    /// With its texts cut to what people read.
    var shortened: WireReplicaDigest {
        var copy = self
        if hasFailure { copy.failure = failure.shortened }
        return copy
    }
}

extension WireReplicaChunk {
    /// With its texts cut to what people read.
    var shortened: WireReplicaChunk {
        var copy = self
        if hasFailure { copy.failure = failure.shortened }
        return copy
    }
}

extension WireStoredShard {
    /// With its texts cut to what people read; a list of files that does not fit is a failure.
    var shortened: WireStoredShard {
        var copy = self
        if hasFailure { copy.failure = failure.shortened }
        guard hasResult else { return copy }
        copy.clearResult()
        copy.phase = .failed
        copy.failure = WireFailure()
        copy.failure.code = ErrorCode.tooLarge.number
        copy.failure.message =
            "the shard has \(result.segments.count) segments, more than a message can name; "
            + "wait until they are merged"
        return copy
    }
}
