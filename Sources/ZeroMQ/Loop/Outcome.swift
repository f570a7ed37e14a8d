/// A value that one thread sets and another reads afterwards.
package final class Outcome<Value: Sendable>: Sendable {
    private let stored = Guarded<Value?>(nil)

    /// Starts without a value.
    package init() {}

    /// The value, once it was set.
    package var value: Value? { stored.withLock { $0 } }

    /// Sets the value.
    package func set(_ value: Value?) {
        stored.withLock { $0 = value }
    }
}
