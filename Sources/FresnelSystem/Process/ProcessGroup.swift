import Glibc

/// Which processes a signal of the terminal, or of `timeout`, reaches together.
package enum ProcessGroup {
    /// Makes the calling process a group of its own, so that only who started it ends it.
    package static func leave() {
        // Refused to who leads a session, which is alone already.
        _ = setpgid(0, 0)
    }
}
