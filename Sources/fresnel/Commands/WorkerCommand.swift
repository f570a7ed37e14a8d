import ArgumentParser
import FresnelModel
import FresnelSystem
import FresnelWorker

/// `fresnel worker`.
struct WorkerCommand: LongLivedCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Run a process that holds shards and searches them.",
        discussion: """
            Prints "ready NAME" once the shards that the broker assigns to it are open, or the \
            broker has none for it, and runs until SIGTERM or SIGINT.

              fresnel worker --data /var/lib/fresnel/workers/1 --broker tcp://127.0.0.1:7710

            Flags win over FRESNEL_WORKER_… variables, these over the settings file.
            """)

    @Option(
        help: ArgumentHelp("Keep journals and segments here (required).", valueName: "dir"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The broker's endpoint for workers (default: tcp://127.0.0.1:7710).", valueName: "ep"))
    var broker: String?

    @Option(help: "The worker's identity (default: the name kept in its directory, or a new one).")
    var name: String?

    @Option(help: ArgumentHelp("Threads that search (default: one a processor).", valueName: "n"))
    var searchThreads: String?

    @Option(
        help: ArgumentHelp(
            "How long replaced and deleted documents stay readable for cursors (default: 5m).",
            valueName: "duration"))
    var retention: String?

    @Option(
        help: ArgumentHelp(
            "Let other workers fetch replicas here (default: a free port of 127.0.0.1).",
            valueName: "ep"))
    var transferListen: String?

    @Flag(
        help: """
            Take the empty shards of a new directory for those this worker held before. Their \
            documents are lost for good; say it once, and only when that is so.
            """)
    var replaceLost = false

    @Flag(
        help: """
            Take what is here for all there is of shards that come back older than they were, as \
            from a backup. What is missing is lost for good; say it once, and only when that is so.
            """)
    var acceptLoss = false

    @Flag(help: "Connect beyond this machine although nothing is encrypted.")
    var insecure = false

    @OptionGroup var output: RoleOutput

    @OptionGroup var role: RoleOptions

    func run() async throws {
        try await output.run("worker") { try await runWorker() }
    }

    private func runWorker() async throws {
        let settings = try role.settings([
            .workerData: data, .workerBroker: broker, .workerName: name,
            .workerSearchThreads: searchThreads, .workerRetention: retention,
            .workerTransferListen: transferListen,
            .workerReplaceLost: replaceLost ? "true" : nil,
            .workerAcceptLoss: acceptLoss ? "true" : nil,
            .workerInsecure: insecure ? "true" : nil,
        ])
        RoleTitle.show("worker", name: settings.text(.workerName))
        let logger = output.logger(
            settings.text(.workerName) ?? "worker", try settings.logLevel())
        let output = output
        let worker = try await Worker.start(configuration(settings), logger: logger) { name in
            output.announce("worker", name.name)
        }
        try await Role.run(worker, isSupervised: role.supervised, logger: logger)
    }

    private static func retention(_ text: String?) throws(CommandError) -> Duration {
        guard let text else { return .seconds(300) }
        let retention = try DurationText.parse(text, flag: "--retention")
        guard retention <= .seconds(7 * 86_400) else {
            throw .usage("--retention must be at most 7 days, not \(text)")
        }
        return retention
    }

    private func configuration(_ settings: Settings) throws -> WorkerConfiguration {
        WorkerConfiguration(
            directory: try settings.required(.workerData),
            broker: try settings.endpoint(.workerBroker, default: Endpoints.workers),
            name: settings.text(.workerName),
            searchThreads: try settings.number(
                .workerSearchThreads, in: 1...256, default: Machine.processorCount),
            retention: try Self.retention(settings.text(.workerRetention)),
            replacesLost: try settings.truth(.workerReplaceLost),
            acceptsLoss: try settings.truth(.workerAcceptLoss),
            transferEndpoint: try settings.text(.workerTransferListen) == nil
                ? nil : settings.endpoint(.workerTransferListen, default: ""),
            allowsPlaintext: try settings.truth(.workerInsecure), software: Fresnel.software)
    }
}
