extension Limits {
    // What the broker, the workers and the client library keep for themselves.

    /// Hits a worker may have sent that were not yet passed on, per query.
    package static let workerWindowItems: UInt64 = 4096
    /// Bytes of hit batches a worker may have sent that were not yet passed on, per query: two of
    /// the largest batches, so that a refill at half always leaves room for one.
    package static let workerWindowBytes: UInt64 = 2 * hitBatchBytes
    /// Bytes of the largest hit batch: one hit of the largest document with its sort key.
    package static let hitBatchBytes: UInt64 = 5 << 18
    /// Bytes at which a hit batch is sent: on the plateau of throughput over batch size.
    package static let hitBatchTargetBytes = 64 * 1024
    /// Unreadable messages after which a session ends: bytes can be unlucky, not three times.
    package static let faultsPerSession = 3
    /// Unknown addresses remembered for not being challenged twice a second.
    package static let challengedAddresses = 4096
    /// Answers to finished batches kept for a resend.
    package static let finishedBatches = 4096
    /// Sequence numbers leased at once: one durable write per that many batches.
    package static let sequenceLease: UInt64 = 1_000_000
    /// The budget of a batch that names none: longer than a worker's restart.
    package static let writeBudgetDefault = Duration.seconds(30)
    /// Search tasks one worker runs or streams at once.
    package static let tasksPerWorker = 1024
    /// Bytes of hits a client grants beyond those it consumed.
    package static let clientWindowBytes: UInt64 = 8 * 1024 * 1024
}
