/// How far an import has come.
public struct ImportProgress: Hashable, Sendable {
    /// Entries that were read, with those that were refused, without those skipped on resuming.
    public var read = 0
    /// Entries that an earlier run of the import had acknowledged already.
    public var skipped = 0
    /// Operations that are durable and findable.
    public var acknowledged = 0
    /// Entries that cannot be used, by the source or by the cluster.
    public var refused = 0
    /// Batches that were acknowledged.
    public var batches = 0
    /// Bytes of documents in those batches.
    public var bytes = 0
    /// Whether a document named an expiration date of its own.
    public var hasDated = false
    /// Whether a document named none, so that its index decides.
    public var hasUndated = false

    /// Makes the progress of an import that has not begun.
    public init() {}
}
