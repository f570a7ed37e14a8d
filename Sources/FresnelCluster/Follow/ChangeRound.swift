import FresnelModel

/// One round of a live tail: from the state that the client has to a newer one.
///
/// Both states are fixed when the round begins, and the changes between them come in one total
/// order. So a round that loses a worker goes on behind the last change that was sent, and the
/// client sees no change twice.
struct ChangeRound: Sendable {
    /// What each shard will have been read at when the round is whole.
    let goal: [ShardKey: SequenceNumber]
    /// The shards in which something may have changed, and what they were read at before.
    let since: [ShardKey: SequenceNumber]
    /// The instants of both states, in seconds since 2001.
    let fromNow: Double
    let toNow: Double
    /// The sort key of the last change that was sent.
    var lastKey: [UInt8]?
    /// The running try; nil while the round waits for another.
    var stream: QueryStream?
    /// What of it was sent, by all tries.
    var delivered = ChangeTally()
    /// Tries that ended because of what a worker said.
    var brokenTries = 0
}
