import ArgumentParser
import Foundation

/// The flags that broker and worker share.
struct RoleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read settings from this JSON file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel: String?

    @Flag(help: .hidden)
    var supervised = false

    /// The settings with the flags of one command.
    func settings(_ flags: [Setting: String?]) throws -> Settings {
        try Settings(
            flags: flags.merging([.logLevel: logLevel]) { first, _ in first }, file: config,
            environment: ProcessInfo.processInfo.environment)
    }
}
