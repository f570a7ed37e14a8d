import ArgumentParser
import Foundation
import FresnelModel
import FresnelSystem

/// The command line: one binary for every role of the cluster and for the people who use it.
@main
struct Fresnel: AsyncParsableCommand {
    /// Name and version, as peers and people see it.
    static let software = "fresnel 0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "fresnel",
        abstract: "A search cluster that speaks the query language of Core Spotlight.",
        discussion: """
            Start a cluster, fill it, ask it:

              fresnel up --data /tmp/fresnel &
              fresnel index Examples/green-grocer.ndjson
              fresnel search '** == "apple"cdw'

            \(ExitStatus.table)

            Completion for your shell: fresnel --generate-completion-script bash (or zsh, fish).
            """,
        version: software,
        subcommands: [
            Up.self, BrokerCommand.self, WorkerCommand.self, IndexCommand.self, Search.self,
            Count.self, Explain.self, Get.self, Delete.self, Status.self, Describe.self,
            IndexesCommand.self, PlanCommand.self, Rebalance.self, Drain.self, Parse.self,
            Verify.self, Load.self,
            SnapshotCommand.self,
        ])

    static func main() async {
        ClosedStreams.fill()
        if ProcessInfo.processInfo.environment[HeldProcess.ownGroup] != nil {
            ProcessGroup.leave()
        }
        do {
            try checkArguments()
            var command = try parseAsRoot()
            try Descriptors.require(
                command is any LongLivedCommand
                    ? Limits.leastDescriptorsOfRoles : Limits.leastDescriptors)
            if command is any LongLivedCommand { EarlyEnd.endsInOrder() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            ExitStatus.end(after: error, of: Self.self)
        }
    }

    /// Refuses what the parser would read as something else.
    private static func checkArguments() throws(CommandError) {
        if let number = ArgumentBytes.firstInvalid {
            throw .usage("argument \(number) is not UTF-8: \(CommandLine.arguments[number])")
        }
        try CommandWords.check(CommandLine.arguments.dropFirst(), of: Self.self)
    }
}
