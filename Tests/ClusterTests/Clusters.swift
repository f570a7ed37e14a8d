import Testing

// Real processes on the loopback, with ports that the system chooses and directories that go away.
// The suites run one after the other: each has a cluster of its own and wants the processors.

/// Everything that starts processes.
@Suite("Clusters", .serialized, .timeLimit(.minutes(3)))
enum Clusters {}

extension Tag {
    /// Takes seconds because processes die and come back.
    @Tag static var slow: Self
}
