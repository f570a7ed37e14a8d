import Synchronization

/// A value that one thread sets and another reads afterwards.
final class Outcome<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? { stored.withLock { $0 } }

    func set(_ value: Value?) {
        stored.withLock { $0 = value }
    }
}
