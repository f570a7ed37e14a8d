import Glibc

// Not `Synchronization.Mutex`: on Linux its waiting path lives in a library that the thread
// sanitizer does not see, so every contended use of it is reported as a race (Swift 6.3). Here the
// sanitizer must be believed, as it is what checks this room. The C library's mutex it understands.

/// A value that one thread at a time may touch.
@safe
package final class Guarded<State: Sendable>: @unchecked Sendable {
    // Sendable because `state` is touched only between lock and unlock, and the mutex is made for
    // being shared. It has an address of its own: a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var state: State

    /// Guards a value.
    package init(_ state: State) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        let status = unsafe pthread_mutex_init(mutex, nil)
        precondition(status == 0, "a mutex could not be made: \(status)")
        self.state = state
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs a closure that neither waits nor calls back into the same value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The calls fail only for a mutex that was never made or that this thread already holds.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
