import ArgumentParser
import FresnelClient

/// `fresnel drain`.
struct Drain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take every replica off a worker, so that it can be ended.",
        discussion: """
            Shows what moves, asks, and begins. The worker gets no replicas any more, also after \
            restarts, until --cancel. `fresnel status` tells how far the moves are; when it says \
            "drained" of the worker, nothing is left on it. A worker that is gone for good is \
            drained as well: its replicas are copied from the others.

              fresnel drain worker-2
              fresnel drain worker-2 --cancel
            """)

    @Argument(help: "The name of the worker.")
    var name: String

    @Flag(help: "Let the worker hold replicas again.")
    var cancel = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        if !cancel, !yes { try Question.requireTerminal(output) }
        try await connection.withClient { client in
            guard !cancel else {
                return PlanDescription.say(
                    try await client.undrain(name), as: output, isDone: true)
            }
            if !yes {
                let plan = try await client.plan(draining: name)
                PlanDescription.say(plan, as: output, isDone: false)
                try Question.confirm("Drain worker \(name)?")
            }
            PlanDescription.say(try await client.drain(name), as: output, isDone: true)
        }
    }
}
