import ArgumentParser

/// `fresnel load`: its commands.
struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Load-test the cluster, compare two reports, or record queries.",
        discussion: """
            Requests are sent when a plan says, whatever became of the earlier ones, and latencies \
            count from the plan. Answers are compared while it measures.

              fresnel load --rate 200 --duration 30s --report load.html
              fresnel load --saturate --slo 'p99<50ms'
              fresnel load compare before.json after.json

            \(ExitStatus.loadTable)
            """,
        subcommands: [
            LoadRunCommand.self, LoadCompare.self, LoadRecord.self, LoadGenerate.self,
        ],
        defaultSubcommand: LoadRunCommand.self)
}
