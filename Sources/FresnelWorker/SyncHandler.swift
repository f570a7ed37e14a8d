import FresnelSystem
import ZeroMQ

/// One of the worker's syncing threads: waits for the disk while the writing thread works.
final class SyncHandler: LoopHandler {
    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: DiskWait) { mail.run() }

    func finishTurn() -> Duration? { nil }

    func stop() {}
}
