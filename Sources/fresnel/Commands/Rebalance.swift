import ArgumentParser
import FresnelClient

/// `fresnel rebalance`.
struct Rebalance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move replicas until every worker holds its share.",
        discussion: """
            Shows what moves, asks, and begins. Searches and writes go on; `fresnel status` tells \
            how far the moves are.

              fresnel rebalance --yes
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        if !yes { try Question.requireTerminal(output) }
        try await connection.withClient { client in
            if !yes {
                let plan = try await client.plan()
                PlanDescription.say(plan, as: output, isDone: false)
                guard plan.moveCount > 0 else { return }
                try Question.confirm("Move them?")
            }
            PlanDescription.say(try await client.rebalance(), as: output, isDone: true)
        }
    }
}
