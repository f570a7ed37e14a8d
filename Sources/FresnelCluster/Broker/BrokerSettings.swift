import FresnelModel

/// What an operator decides about a broker.
package struct BrokerSettings: Sendable {
    /// Random per process start.
    package var incarnation: UInt64
    /// Keys the session tokens; random per process start, never told.
    package var secret: UInt64
    /// What identities of indexes are drawn from; random per process start.
    package var identitySeed: IndexIdentity
    /// Shards of an index that is made from now on.
    package var shardCount: UInt32
    /// Copies of each shard of an index that is made from now on, 1 to 3.
    package var replication: UInt32
    /// No index is made before this many workers are live.
    package var expectedWorkers: Int
    /// Life of a document that names no expiration; nil is for ever.
    package var defaultExpirationSeconds: Double?
    /// How fast one replica may be copied to another worker; 0 is no limit.
    package var replicaBytesPerSecond: UInt64
    /// Memory for answers that are told again while nothing is written, about; 0 keeps none.
    package var keptAnswerBytes: Int
    /// Whether indexes that workers hold and the state does not know are taken over.
    package var adoptsUnknown: Bool
    package var timers: Timers
    /// Where the data lanes connect.
    package var clientDataEndpoint: String
    package var workerDataEndpoint: String
    /// Name and version, for people.
    package var software: String

    package init(
        incarnation: UInt64, secret: UInt64, identitySeed: IndexIdentity, shardCount: UInt32 = 6,
        replication: UInt32 = 1, expectedWorkers: Int = 1,
        defaultExpirationSeconds: Double? = nil, replicaBytesPerSecond: UInt64 = 0,
        keptAnswerBytes: Int = Limits.keptAnswersBytes, adoptsUnknown: Bool = false,
        timers: Timers = .standard,
        clientDataEndpoint: String = "", workerDataEndpoint: String = "",
        software: String = "fresnel"
    ) {
        self.incarnation = incarnation
        self.secret = secret
        self.identitySeed = identitySeed
        self.shardCount = shardCount
        self.replication = min(max(1, replication), UInt32(Limits.replicasPerShard))
        self.expectedWorkers = expectedWorkers
        self.defaultExpirationSeconds = defaultExpirationSeconds
        self.replicaBytesPerSecond = replicaBytesPerSecond
        self.keptAnswerBytes = keptAnswerBytes
        self.adoptsUnknown = adoptsUnknown
        self.timers = timers
        self.clientDataEndpoint = clientDataEndpoint
        self.workerDataEndpoint = workerDataEndpoint
        self.software = software
    }
}
