import Glibc

/// Lets one thread wait until another one has done something.
///
/// A semaphore of the C library, which the thread sanitizer understands.
@safe
final class Latch: Sendable {
    // It has an address of its own: a semaphore must not move. Every call on it is atomic.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe semaphore.initialize(to: sem_t())
        let status = unsafe sem_init(semaphore, 0, 0)
        precondition(status == 0, "a semaphore could not be made: \(status)")
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Lets one `wait` return, this one or the next.
    func open() {
        // Fails only beyond two thousand million.
        unsafe sem_post(semaphore)
    }

    /// Blocks the calling thread until `open`.
    func wait() {
        // A signal of the system interrupts it.
        while unsafe sem_wait(semaphore) != 0 {}
    }
}
