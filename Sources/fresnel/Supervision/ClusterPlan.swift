import ZeroMQ

/// What `fresnel up` starts, and with which arguments.
struct ClusterPlan: Sendable {
    let directory: String
    let workerCount: Int
    let shardCount: Int
    let replication: Int
    /// Where clients shall connect; the port may be left to the system.
    let listen: Endpoint
    /// The life of documents that name no date, as the broker's flag takes it.
    var expiration = "never"
    /// Whether workers may take empty shards for lost ones.
    let replacesLost: Bool
    /// Whether workers may take stale shards for all there is.
    var acceptsLoss = false
    /// Whether the broker may take over indexes that workers hold and it does not know.
    var adoptsUnknown = false
    /// How much the broker may keep of its answers, in MiB; nil is for the broker to decide.
    var keptAnswers: Int?
    let logLevel: String
    /// Whether the log is one JSON object a line.
    let isJSON: Bool

    /// Where workers connect at first: a socket file, unless its path would be too long.
    var workerListen: Endpoint {
        let path = "\(directory)/workers.socket"
        // The data lane adds a suffix.
        guard path.utf8.count + 8 <= Endpoint.maximumPathBytes else {
            return Endpoint(.tcp(host: "127.0.0.1", port: nil))
        }
        return Endpoint(.ipc(path: path))
    }

    /// What follows the program's name to start the broker.
    ///
    /// - Parameter doors: where it listened before; a broker that comes back must be found there.
    func brokerArguments(_ doors: ClusterDoors?) -> [String] {
        [
            "broker", "--supervised", "--data", "\(directory)/broker",
            "--listen", doors?.clients ?? listen.description,
            "--worker-listen", doors?.workers ?? workerListen.description,
            "--shards", "\(shardCount)", "--replicas", "\(replication)", "--expect-workers",
            "\(workerCount)", "--expiration", expiration,
        ] + (keptAnswers.map { ["--kept-answers", "\($0)"] } ?? [])
            + (adoptsUnknown ? ["--adopt"] : []) + logging
    }

    /// What follows the program's name to start a worker.
    func workerArguments(_ number: Int, _ doors: ClusterDoors?) -> [String] {
        [
            "worker", "--supervised", "--data", "\(directory)/workers/\(number)",
            "--broker", doors?.workers ?? workerListen.description, "--name", workerName(number),
        ] + logging + (replacesLost ? ["--replace-lost"] : [])
            + (acceptsLoss ? ["--accept-loss"] : [])
    }

    private var logging: [String] { ["--log-level", logLevel] + (isJSON ? ["--json"] : []) }

    /// The worker's identity; it stays with its directory.
    func workerName(_ number: Int) -> String { "worker-\(number)" }
}
