import FresnelSystem
import ZeroMQ

/// The worker's syncing thread: waits for the disk while the writing thread works parts out.
final class SyncHandler: LoopHandler {
    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: DiskWait) { mail.run() }

    func finishTurn() -> Duration? { nil }

    func stop() {}
}
