import Synchronization

/// Whether everything that a process has printed was read, which may be later than its end.
final class ProcessOutput: Sendable {
    private struct State {
        var isRead = false
        /// What waits for the last line.
        var waiter: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Called when there is no more to read, once.
    func end() {
        let waiter = state.withLock { state in
            state.isRead = true
            return state.waiter.take()
        }
        waiter?()
    }

    /// Runs `body` when all was read: now, or on the thread that reads; for one waiter.
    func whenRead(_ body: @escaping @Sendable () -> Void) {
        let isRead = state.withLock { state in
            if !state.isRead { state.waiter = body }
            return state.isRead
        }
        if isRead { body() }
    }
}
