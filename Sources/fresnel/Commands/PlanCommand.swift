import ArgumentParser
import FresnelClient

/// `fresnel plan`.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show which replicas would move between workers, and change nothing.",
        discussion: """
            Without an option it is what `fresnel rebalance` would do; with --drain what \
            `fresnel drain` would.

              fresnel plan
              fresnel plan --drain worker-2
            """)

    @Option(help: ArgumentHelp("The worker that would be drained.", valueName: "name"))
    var drain: String?

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let plan = try await connection.withClient { try await $0.plan(draining: drain) }
        PlanDescription.say(plan, as: output, isDone: false)
    }
}
