import ArgumentParser
import Foundation
import TortureHistory

/// Torments a cluster of real processes and proves from the recorded history that it kept its
/// promises.
@main
struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture",
        abstract: "Kill, stop and cut off real processes under load, and check what they answered.",
        subcommands: [RunCommand.self, CheckCommand.self], defaultSubcommand: RunCommand.self)
}

/// Checks a history again.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the history of an earlier run.")

    @Argument(help: "The history.")
    var file: String

    func run() throws {
        let events = try HistoryFile.read(file)
        for line in RunSummary(of: events).lines { say(line) }
        guard Verdict(events).tell() else { throw ExitCode(1) }
    }
}

/// What the checker says of a history.
struct Verdict {
    private let violations: [Violation]

    /// Checks a history.
    init(_ events: [HistoryEvent]) {
        violations = HistoryChecker.violations(of: events)
    }

    /// Prints what is broken, by promise; whether nothing is.
    func tell() -> Bool {
        guard !violations.isEmpty else {
            say("verdict: every promise was kept")
            return true
        }
        for (kind, some) in Dictionary(grouping: violations, by: \.kind)
            .sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            say("\(some.count) × \(kind.rawValue)")
            for violation in some.prefix(8) { say("  \(violation.text)") }
        }
        say("verdict: \(violations.count) broken promises")
        return false
    }
}
