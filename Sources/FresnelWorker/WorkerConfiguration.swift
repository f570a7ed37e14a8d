package import ZeroMQ

/// What starts a worker process.
package struct WorkerConfiguration: Sendable {
    /// Holds name, journals and segments; made when missing.
    package var directory: String
    /// The broker's control lane for workers.
    package var broker: Endpoint
    /// The worker's stable name; nil takes the one kept in the directory, or makes one.
    package var name: String?
    /// Threads that search; one per core is a good number.
    package var searchThreads: Int
    /// Journal bytes of a shard after which its memory is sealed into segment files.
    package var sealThresholdBytes: Int
    /// How long versions that are no longer current stay readable, for cursors.
    package var retention: Duration
    /// The operator said that what this worker held before is lost: empty replicas take its place.
    package var replacesLost: Bool
    /// The operator said that what is missing here, although it was acknowledged, is lost.
    package var acceptsLoss: Bool
    /// Where other workers fetch replicas; nil for a port of this machine's own choice.
    package var transferEndpoint: Endpoint?
    /// Connect beyond this machine although nothing is encrypted yet.
    package var allowsPlaintext: Bool
    /// Name and version, for people.
    package var software: String

    package init(
        directory: String, broker: Endpoint, name: String? = nil, searchThreads: Int = 2,
        sealThresholdBytes: Int = 32 << 20, retention: Duration = .seconds(300),
        replacesLost: Bool = false, acceptsLoss: Bool = false,
        transferEndpoint: Endpoint? = nil, allowsPlaintext: Bool = false, software: String
    ) {
        self.directory = directory
        self.broker = broker
        self.name = name
        self.searchThreads = searchThreads
        self.sealThresholdBytes = sealThresholdBytes
        self.retention = retention
        self.replacesLost = replacesLost
        self.acceptsLoss = acceptsLoss
        self.transferEndpoint = transferEndpoint
        self.allowsPlaintext = allowsPlaintext
        self.software = software
    }
}
