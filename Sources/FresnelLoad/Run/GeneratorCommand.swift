/// What the process that started a load says to those that make its parts, a line each.
package enum GeneratorCommand: Codable, Sendable {
    /// Make your part of a measurement.
    case measure(LoadOrder)
    /// End now, and say what the measurement came to until then.
    case stop
}
