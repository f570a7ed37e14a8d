import Glibc

/// What SIGTERM and SIGINT do to a long-lived process before it listens for them.
package enum EarlyEnd {
    /// They end it at once and in order: nothing that a disk holds needs a goodbye.
    ///
    /// The signal source that is opened later takes the place of this handler. Blocking the
    /// signals until then does not do: the main thread of a program with dispatch queues unblocks
    /// all of them while it waits.
    package static func endsInOrder() {
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    }
}
