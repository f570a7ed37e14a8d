public import ArgumentParser
public import FresnelClient

/// For people or for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    /// Columns that fit the terminal.
    case table
    /// One JSON object a line.
    case ndjson
}

extension ImportFormat: ExpressibleByArgument {}
extension Delivery: ExpressibleByArgument {}
