import ArgumentParser

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

            Exit codes: 0 complete, 1 failed, 2 usage or invalid query, 3 incomplete answer, \
            4 unavailable or timed out.

            Completion for your shell: fresnel --generate-completion-script bash (or zsh, fish).
            """,
        version: software,
        subcommands: [
            Up.self, BrokerCommand.self, WorkerCommand.self, IndexCommand.self, Search.self,
            Count.self, Get.self, Delete.self, Status.self, Describe.self, Parse.self, Verify.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            ExitStatus.end(after: error, of: Self.self)
        }
    }
}
