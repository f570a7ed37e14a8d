import Glibc

/// An instant that every thread keeps for itself.
package struct ThreadMoment: Sendable {
    private let key: pthread_key_t

    /// - Returns: nil where the process has given away all its keys.
    package init?() {
        var key = pthread_key_t()
        guard unsafe pthread_key_create(&key, nil) == 0 else { return nil }
        self.key = key
    }

    /// What this thread kept last, in nanoseconds; nil before.
    var value: Int64? {
        // The pointer is the number itself: nothing is behind it.
        unsafe pthread_getspecific(key).map { Int64(Int(bitPattern: $0)) }
    }

    /// Keeps an instant other than zero, as far as there is memory for it.
    func keep(_ instant: Int64) {
        _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: Int(instant)))
    }
}
