/// What a process that makes a part of a load says to the one that started it, a line each.
package enum GeneratorMessage: Codable, Sendable {
    /// It has what it needs and waits for orders.
    case ready
    /// How the measurement goes that it was ordered to make.
    case progress(LoadProgress)
    /// What that measurement came to.
    case measured(Recorder.Contents)
    /// It cannot go on, and why.
    case failed(String)
}
