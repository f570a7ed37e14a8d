import ArgumentParser
import FresnelSystem
import FresnelWorker
import Logging
import ServiceLifecycle
import UnixSignals
import ZeroMQ

/// A worker that writes down when each cancel reached it.
struct IdleWorker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A worker that prints the monotonic nanoseconds of each cancel.")

    @Option(help: "Where it keeps its shards.")
    var data: String

    @Option(help: "The broker's endpoint for workers.")
    var broker: String

    func run() async throws {
        let configuration = WorkerConfiguration(
            directory: data, broker: try Endpoint(broker), name: "idle",
            software: "fresnel-bench-served")
        let logger = Logger(label: "idle") { _ in ReceiptLog() }
        let worker = try await Worker.start(configuration, logger: logger)
        let group = ServiceGroup(
            services: [worker], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
    }
}
