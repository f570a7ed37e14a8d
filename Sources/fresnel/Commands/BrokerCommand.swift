import ArgumentParser
import FresnelBroker
import FresnelModel
import ZeroMQ

/// `fresnel broker`.
struct BrokerCommand: LongLivedCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Run the process that clients and workers connect to.",
        discussion: """
            Prints "ready EP" once it listens, and runs until SIGTERM or SIGINT.

              fresnel broker --data /var/lib/fresnel/broker --listen tcp://127.0.0.1:7700

            Flags win over FRESNEL_BROKER_… variables, these over the settings file.
            """)

    @Option(
        help: ArgumentHelp("Keep the cluster's state here (required).", valueName: "dir"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Clients connect here; the next port is taken too (default: tcp://127.0.0.1:7700).",
            valueName: "ep"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Workers connect here; the next port is taken too (default: tcp://127.0.0.1:7710).",
            valueName: "ep"))
    var workerListen: String?

    @Option(help: ArgumentHelp("Shards of an index made from now on (default: 6).", valueName: "s"))
    var shards: String?

    @Option(
        help: ArgumentHelp(
            "Copies of every shard of an index made from now on, 1 to 3 (default: 1).",
            valueName: "r"))
    var replicas: String?

    @Option(
        help: ArgumentHelp(
            "Make no index before so many workers are here (default: 1).", valueName: "n"))
    var expectWorkers: String?

    @Option(
        help: ArgumentHelp(
            "MiB a second at which one replica may be copied, 0 for no limit (default: 100).",
            valueName: "n"))
    var copyRate: String?

    @Option(
        help: ArgumentHelp(
            """
            MiB of answers that are told again while nothing is written, 0 for none (default: \
            \(Limits.keptAnswersBytes >> 20)).
            """, valueName: "n"))
    var keptAnswers: String?

    @Option(
        help: ArgumentHelp(
            """
            Documents of an index made from now on expire so long after they were indexed, unless \
            they name a date: 30d, 12h or never (default: never).
            """, valueName: "duration"))
    var expiration: String?

    @Option(
        help: ArgumentHelp(
            """
            Write down every query that clients ask, without who asked or what was found (default: \
            nothing is written down).
            """, valueName: "file"), completion: .file())
    var queryLog: String?

    @Flag(
        help: """
            Take over indexes that workers hold and this broker does not know, as after its state \
            was lost, in this run; leave it out the next time.
            """)
    var adopt = false

    @Flag(help: "Listen beyond this machine although nothing is encrypted.")
    var insecure = false

    @OptionGroup var output: RoleOutput

    @OptionGroup var role: RoleOptions

    func run() async throws {
        try await output.run("broker") { try await runBroker() }
    }

    private func runBroker() async throws {
        let settings = try role.settings([
            .brokerData: data, .brokerListen: listen, .brokerWorkerListen: workerListen,
            .brokerShards: shards, .brokerReplicas: replicas, .brokerExpectWorkers: expectWorkers,
            .brokerCopyRate: copyRate, .brokerExpiration: expiration, .brokerQueryLog: queryLog,
            .brokerKeptAnswers: keptAnswers, .brokerInsecure: insecure ? "true" : nil,
            .brokerAdopt: adopt ? "true" : nil,
        ])
        RoleTitle.show("broker")
        let logger = output.logger("broker", try settings.logLevel())
        let broker = try await Broker.start(configuration(settings), logger: logger)
        announce(broker.doors)
        try await Role.run(broker, isSupervised: role.supervised, logger: logger)
    }

    private func configuration(_ settings: Settings) throws -> BrokerConfiguration {
        var configuration = BrokerConfiguration(
            directory: try settings.required(.brokerData),
            clientEndpoint: try settings.endpoint(.brokerListen, default: Endpoints.clients),
            workerEndpoint: try settings.endpoint(.brokerWorkerListen, default: Endpoints.workers),
            shardCount: UInt32(
                try settings.number(.brokerShards, in: 1...Limits.shardsPerIndex, default: 6)),
            replication: UInt32(
                try settings.number(.brokerReplicas, in: 1...Limits.replicasPerShard, default: 1)),
            expectedWorkers: try settings.number(
                .brokerExpectWorkers, in: 1...1024, default: 1),
            defaultExpirationSeconds: try settings.text(.brokerExpiration).flatMap {
                try ExpirationText.parse($0).duration?.inSeconds
            },
            allowsPlaintext: try settings.truth(.brokerInsecure), software: Fresnel.software)
        let rate = try settings.number(.brokerCopyRate, in: 0...100_000, default: Self.copyRate)
        configuration.replicaBytesPerSecond = UInt64(rate) << 20
        configuration.keptAnswerBytes = try settings.keptAnswers() << 20
        configuration.queryLog = settings.text(.brokerQueryLog)
        configuration.adoptsUnknown = try settings.truth(.brokerAdopt)
        return configuration
    }

    private static let copyRate = Int(Limits.replicaBytesPerSecond >> 20)

    /// For people the endpoint of clients; for a supervisor both, as one line of JSON.
    private func announce(_ doors: Broker.Doors) {
        guard role.supervised else {
            return output.announce("endpoint", doors.clients.description)
        }
        let told = ClusterDoors(
            clients: doors.clients.description, workers: doors.workers.description)
        Streams.say(told.line)
    }
}
