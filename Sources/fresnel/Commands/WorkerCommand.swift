import ArgumentParser
import FresnelModel
import FresnelSystem
import FresnelWorker

/// `fresnel worker`.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Run a process that holds shards and searches them.",
        discussion: """
            Prints "ready NAME" once it is open for work, and runs until SIGTERM or SIGINT.

              fresnel worker --data /var/lib/fresnel/workers/1 --broker tcp://127.0.0.1:7710

            Flags win over FRESNEL_WORKER_… variables, these over the settings file.
            """)

    @Option(help: ArgumentHelp("Keep journals and segments here (required).", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The broker's endpoint for workers (default: tcp://127.0.0.1:7710).", valueName: "ep"))
    var broker: String?

    @Option(help: "The worker's identity (default: the name kept in its directory, or a new one).")
    var name: String?

    @Option(help: ArgumentHelp("Threads that search (default: one a processor).", valueName: "n"))
    var searchThreads: String?

    @Flag(help: "Connect beyond this machine although nothing is encrypted.")
    var insecure = false

    @OptionGroup var role: RoleOptions

    func run() async throws {
        let settings = try role.settings([
            .workerData: data, .workerBroker: broker, .workerName: name,
            .workerSearchThreads: searchThreads, .workerInsecure: insecure ? "true" : nil,
        ])
        let logger = try Role.logger(settings.text(.workerName) ?? "worker", settings)
        let worker = try await Worker.start(configuration(settings), logger: logger)
        Streams.say("ready \(worker.name)")
        try await Role.run(worker, isSupervised: role.supervised, logger: logger)
    }

    private func configuration(_ settings: Settings) throws -> WorkerConfiguration {
        WorkerConfiguration(
            directory: try settings.required(.workerData),
            broker: try settings.endpoint(.workerBroker, default: Endpoints.workers),
            name: settings.text(.workerName),
            searchThreads: try settings.number(
                .workerSearchThreads, in: 1...256, default: Machine.processorCount),
            allowsPlaintext: try settings.truth(.workerInsecure), software: Fresnel.software)
    }
}
