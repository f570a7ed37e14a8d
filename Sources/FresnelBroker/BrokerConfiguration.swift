package import FresnelCluster
import FresnelModel
package import ZeroMQ

/// What starts a broker process.
package struct BrokerConfiguration: Sendable {
    /// Holds the cluster state; made when missing.
    package var directory: String
    /// Control lane for clients; the data lane listens beside it.
    package var clientEndpoint: Endpoint
    /// Control lane for workers; the data lane listens beside it.
    package var workerEndpoint: Endpoint
    package var shardCount: UInt32
    /// Copies of each shard of an index that is made from now on.
    package var replication: UInt32
    package var expectedWorkers: Int
    /// How fast one replica may be copied to another worker; 0 is no limit.
    package var replicaBytesPerSecond = Limits.replicaBytesPerSecond
    /// Memory for answers that are told again while nothing is written, about; 0 keeps none.
    package var keptAnswerBytes = Limits.keptAnswersBytes
    /// Whether indexes that workers hold and the state does not know are taken over.
    package var adoptsUnknown = false
    /// Nil is for ever.
    package var defaultExpirationSeconds: Double?
    package var timers: Timers
    /// Listen beyond this machine although nothing is encrypted yet.
    package var allowsPlaintext: Bool
    /// Takes what clients ask, one query a line; nil writes nothing down.
    package var queryLog: String?
    /// Name and version, for people.
    package var software: String

    package init(
        directory: String, clientEndpoint: Endpoint, workerEndpoint: Endpoint,
        shardCount: UInt32 = 6, replication: UInt32 = 1, expectedWorkers: Int = 1,
        defaultExpirationSeconds: Double? = nil, timers: Timers = .standard,
        allowsPlaintext: Bool = false, software: String
    ) {
        self.directory = directory
        self.clientEndpoint = clientEndpoint
        self.workerEndpoint = workerEndpoint
        self.shardCount = shardCount
        self.replication = replication
        self.expectedWorkers = expectedWorkers
        self.defaultExpirationSeconds = defaultExpirationSeconds
        self.timers = timers
        self.allowsPlaintext = allowsPlaintext
        self.software = software
    }
}
