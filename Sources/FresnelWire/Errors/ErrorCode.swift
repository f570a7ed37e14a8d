// The numbers under which failures travel (Documentation/protocol.md, "Error registry"; a test
// compares). Negative numbers are Core Spotlight's own; 3xx means "later", 4xx "your fault",
// 5xx "ours". Texts may change, numbers and their retry rule may not.

/// The number of a failure on the wire.
package struct ErrorCode: Hashable, Sendable {
    /// The number.
    package let number: Int32
    /// The name in the registry.
    package let name: String
    /// What it means, as one phrase.
    package let meaning: String
    /// Whether the same request may succeed later without being changed.
    package let isRetriable: Bool

    /// The entry of a number; nil for a number that this version does not have.
    package init?(number: Int32) {
        guard let code = Self.registry.first(where: { $0.number == number }) else { return nil }
        self = code
    }

    init(_ number: Int32, _ name: String, _ meaning: String, retriable: Bool = false) {
        self.number = number
        self.name = name
        self.meaning = meaning
        isRetriable = retriable
    }
}
