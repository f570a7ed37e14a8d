import ArgumentParser

/// How a command prints: the same two spellings everywhere.
struct FormatOptions: ParsableArguments {
    @Option(help: "table for people, ndjson for programs: one JSON object a line.")
    var format = OutputFormat.table

    @Flag(help: "The same as --format ndjson.")
    var json = false

    /// What was asked for, whichever way.
    var chosen: OutputFormat { json ? .ndjson : format }

    /// Whether a program reads the output.
    var isJSON: Bool { chosen == .ndjson }
}
