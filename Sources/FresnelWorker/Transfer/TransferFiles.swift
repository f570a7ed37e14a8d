import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The thread that reads and writes files of copies, so that neither sockets nor parts wait for it.
final class TransferFiles: LoopHandler {
    /// What the transfer loop asks for.
    enum Mail: Sendable {
        /// Read a piece for another worker.
        case read(PieceID, ShardKey, TransferTicket, WireFetchReplica)
        /// Let go of what a ticket keeps.
        case release(TransferTicket)
        /// Do something for a copy that is received.
        case receive(CopyID, ShardKey, ReplicaReceiver.Effect)
        /// Close the files of a copy that is over.
        case close(CopyID)
        /// The shards whose copies run: what others left may go when it is old.
        case sweep(busy: Set<ShardKey>)
    }

    let environment: Environment
    let directory: WorkerDirectory
    let logger: Logger
    private var donor: DonorFiles
    private var copies: [CopyID: IncomingFiles] = [:]
    private let report: @Sendable (TransferEvent) -> Void
    private let ingest: @Sendable (IngestHandler.Transfer) -> Bool
    private let startedAt: Int64

    init(
        directory: WorkerDirectory, table: ReplicaTable, pins: JournalPins,
        environment: Environment, logger: Logger,
        report: @escaping @Sendable (TransferEvent) -> Void,
        ingest: @escaping @Sendable (IngestHandler.Transfer) -> Bool
    ) {
        self.directory = directory
        self.environment = environment
        self.logger = logger
        self.report = report
        self.ingest = ingest
        donor = DonorFiles(
            directory: directory, table: table, pins: pins, storage: environment.storage)
        startedAt = environment.time.monotonicNanoseconds()
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: Mail) {
        switch mail {
        case .read(let id, let shard, let ticket, let fetch):
            report(.pieceRead(id, donor.read(fetch, of: shard, for: ticket)))
        case .release(let ticket): donor.release(ticket)
        case .receive(let id, let shard, let effect): perform(effect, of: id, shard)
        case .close(let id):
            copies[id] = nil
            // Behind the records it was handed; those of a copy that came to its end are in place.
            _ = ingest(.forget(id))
        case .sweep(let busy): sweep(busy)
        }
    }

    func finishTurn() -> Duration? { nil }

    func stop() {}

    private func perform(_ effect: ReplicaReceiver.Effect, of id: CopyID, _ shard: ShardKey) {
        do {
            switch effect {
            case .look: try hand(.look(id, shard))
            case .append(let entries): try hand(.append(id, shard, entries))
            case .install(let setsAside):
                try copies[id]?.complete(drawn: environment.chance.next())
                copies[id] = nil
                try hand(.exchange(id, shard, settingAside: setsAside))
            case .readManifest(let bytes):
                var files = IncomingFiles(shard, directory: directory)
                let found = try files.begin(bytes)
                copies[id] = files
                report(.progressed(id, .manifestRead(found)))
            case .store(let file, let offset, let bytes):
                try copies[id]?.store(bytes, at: offset, of: file)
                report(.progressed(id, .stored(file: file, bytes: bytes.count)))
            case .finish(let file):
                let isWhole = try copies[id]?.finish(file) ?? false
                report(.progressed(id, .finished(file: file, isWhole: isWhole)))
            case .discard:
                copies[id] = nil
                try discard(shard)
            case .ask, .report, .end: break
            }
        } catch {
            copies[id] = nil
            report(.progressed(id, .failed(error.failure)))
        }
    }

    private func hand(_ mail: IngestHandler.Transfer) throws(CopyError) {
        guard ingest(mail) else { throw .busy }
    }

    private func discard(_ shard: ShardKey) throws(CopyError) {
        do throws(SystemError) {
            try directory.discardIncoming(of: shard)
        } catch {
            throw .storage(error)
        }
    }

    /// Removes what copies left that nobody goes on with.
    private func sweep(_ busy: Set<ShardKey>) {
        let age = environment.time.monotonicNanoseconds() - startedAt
        guard age >= Limits.transferLeftoverLife.wholeNanoseconds else { return }
        do throws(SystemError) {
            for shard in try directory.incomingShards() where !busy.contains(shard) {
                try directory.discardIncoming(of: shard)
                logger.info(
                    """
                    what an unfinished copy left of shard \(shard.shard.number) of \(shard.index) \
                    was removed
                    """)
            }
        } catch {
            logger.warning("what unfinished copies left could not be removed: \(error)")
        }
    }
}
