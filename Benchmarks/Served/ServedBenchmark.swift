import ArgumentParser

/// Measures a cluster of real processes over its sockets.
@main
struct ServedBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fresnel-bench-served",
        abstract: "Queries and cancels through the sockets of a cluster that runs.",
        subcommands: [Ask.self, Cancels.self, IdleWorker.self, Load.self])
}
