/// An actor that runs on a socket thread and nowhere else.
package protocol PinnedActor: Actor {
    /// The thread; constant, and kept alive by the actor.
    nonisolated var thread: SocketThread { get }
}

extension PinnedActor {
    /// The thread as the runtime wants it.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // Unowned by the runtime, but the actor owns the thread and outlives its own jobs.
        unsafe thread.asUnownedSerialExecutor()
    }
}
