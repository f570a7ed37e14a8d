import ArgumentParser

/// How a command prints: the same two spellings everywhere.
struct FormatOptions: ParsableArguments {
    @Option(help: "table for people, ndjson for programs: one JSON object a line (default: table).")
    var format: OutputFormat?

    @Flag(help: "The same as --format ndjson.")
    var json = false

    /// What was asked for, whichever way.
    var chosen: OutputFormat { json ? .ndjson : format ?? .table }

    /// Whether a program reads the output.
    var isJSON: Bool { chosen == .ndjson }

    func validate() throws {
        guard !json || format != .table else {
            throw ValidationError("--json and --format table contradict each other; give one")
        }
    }
}
