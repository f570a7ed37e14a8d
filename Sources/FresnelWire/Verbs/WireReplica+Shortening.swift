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
