import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Logging
import Synchronization
import Testing

@testable import FresnelWorker

/// The worker's writing thread without threads and sockets, on a disk in memory.
final class WorkerBench {
    static let shard = ShardKey(index: "shop", shard: ShardID(0))
    static let root = "/worker"

    let storage = MemoryStorage()
    let time = ManualTime()
    let log = LogLines()
    let table = ReplicaTable()
    let directory: WorkerDirectory
    private let events = EventList()
    /// What the writing thread tells the loop of copies.
    let transfers = TransferList()
    let pins = JournalPins()
    let brokerTime = BrokerTime()
    let transferWork = TransferWork()
    /// What was handed to the sealing thread; nil where the writing thread seals.
    let seals: SealList?
    /// What waits for the disk beside the writing thread; nil where that waits itself.
    private let syncOutside: (@Sendable (DiskWait) -> Void)?
    private let settings: IngestHandler.Settings
    private(set) var handler: IngestHandler

    init(
        sealThresholdBytes: Int = 1 << 30, reserveBytes: Int = 0, replacesLost: Bool = false,
        sealsOutside: Bool = false, sync: (@Sendable (DiskWait) -> Void)? = nil
    ) throws {
        syncOutside = sync
        seals = sealsOutside ? SealList() : nil
        directory = try WorkerDirectory(Self.root, storage: storage)
        settings = .init(
            sealThresholdBytes: sealThresholdBytes, replacesLost: replacesLost,
            reserveBytes: reserveBytes)
        handler = Self.handler(
            directory, time, log, (events, transfers, pins, brokerTime, seals, sync), table,
            settings)
    }

    var environment: Environment {
        Environment(time: time, chance: SeededRandom(seed: 1), storage: storage)
    }

    private static func handler(
        _ directory: WorkerDirectory, _ time: ManualTime, _ log: LogLines,
        _ outlets: (
            events: EventList, transfers: TransferList, pins: JournalPins, time: BrokerTime,
            seals: SealList?, sync: (@Sendable (DiskWait) -> Void)?
        ),
        _ table: ReplicaTable, _ settings: IngestHandler.Settings
    ) -> IngestHandler {
        var seal: (@Sendable (SealOrder) -> Bool)?
        if let seals = outlets.seals { seal = { seals.append($0) } }
        return IngestHandler(
            directory: directory, table: table,
            environment: Environment(
                time: time, chance: SeededRandom(seed: 1), storage: directory.storage),
            settings: settings,
            logger: Logger(label: "worker") { _ in log.handler },
            outlets: .init(
                report: { outlets.events.append($0) }, merge: { _ in }, isStopping: { false },
                transfer: { outlets.transfers.append($0) }, brokerTime: outlets.time,
                pins: outlets.pins, seal: seal, sync: outlets.sync))
    }

    /// What was reported since the last call.
    func takeEvents() -> [WorkerEvent] { events.take() }

    /// Lets the writing thread turn once a second.
    func pass(seconds: Int) {
        for _ in 0..<seconds {
            time.advance(byNanoseconds: 1_000_000_000)
            _ = handler.finishTurn()
        }
    }

    /// The files of the shard with their bytes.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for folder in [
            directory.journalDirectory(of: Self.shard), directory.segmentDirectory(of: Self.shard),
        ] {
            for name in try storage.list(folder) {
                let path = FilePath.join(folder, name)
                files[path] = try storage.read(path)
            }
        }
        return files
    }

    /// Opens the shard, as ASSIGN does; the failures.
    @discardableResult
    func host(
        keys: [WireCustomKey] = [], known identity: UInt64 = 0, isInSync: Bool = true,
        shards: UInt32 = 1
    ) -> [HostingFailure] {
        var assignment = WireIndexAssignment()
        assignment.index = Self.shard.index
        assignment.shards = Array(0..<shards)
        assignment.shardCount = shards
        assignment.customKeys = keys
        assignment.identities = assignment.shards.map { _ in identity }
        assignment.inSync = assignment.shards.map { _ in isInSync }
        handler.receive(.host([assignment]))
        return takeEvents().reduce([]) { failures, event in
            if case .hosted(_, let found) = event { failures + found } else { failures }
        }
    }

    /// Sends parts that arrive together; the answers in order.
    func ingest(_ parts: [WritePart]) -> [WirePartAck] {
        for (number, part) in parts.enumerated() {
            handler.receive(.ingest(PartTicket(UInt64(number)), part))
        }
        _ = handler.finishTurn()
        return takeEvents().compactMap { event in
            if case .ingested(_, let ack) = event { ack } else { nil }
        }
    }

    func ingest(_ part: WritePart) throws -> WirePartAck { try #require(ingest([part]).first) }

    /// The process ends without a word, and another one starts.
    func restart() {
        table[Self.shard] = nil
        handler = Self.handler(
            directory, time, log, (events, transfers, pins, brokerTime, seals, syncOutside), table,
            settings)
    }

    /// The documents that a query finds now, or why it finds none.
    func search(
        _ query: String, at sequence: UInt64, keys: [WireCustomKey] = []
    ) -> SearchTask.Answer {
        SearchTask(table: table, environment: environment)
            .run(query, shard: Self.shard, at: sequence, keys: keys)
    }

    /// One part of a batch.
    static func part(
        _ sequence: UInt64, after previous: UInt64, batch: UInt64,
        _ operations: [BatchOperation], keys: [WireCustomKey] = [],
        shard number: UInt32 = shard.shard.number
    ) -> WritePart {
        var put = WirePutPart()
        put.index = shard.index
        put.shard = number
        put.previousSequence = previous
        put.clientLow = 7
        put.batchNumber = batch
        put.customKeys = keys
        put.stampedAt = 86_400
        var payload: [UInt8] = []
        for (position, operation) in operations.enumerated() {
            var wire = operation.routed
            wire.position = UInt32(position)
            wire.bodyOffset = UInt32(payload.count)
            wire.bodyLength = UInt32(operation.body.count)
            put.operations.append(wire)
            payload += operation.body
        }
        return WritePart(sequence: SequenceNumber(sequence), put: put, payload: payload)
    }

    /// A document with a title.
    static func document(_ identifier: String, title: String = "lens") -> BatchOperation {
        var document = Document(uniqueIdentifier: identifier)
        document.attributes["title"] = .string(title)
        return .index(document)
    }
}

/// What the writing thread reported.
final class EventList: Sendable {
    private let events = Mutex<[WorkerEvent]>([])

    func append(_ event: WorkerEvent) { events.withLock { $0.append(event) } }

    func take() -> [WorkerEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

/// What the sealing thread is asked for.
final class SealList: Sendable {
    private let waiting = Mutex<[SealOrder]>([])

    func append(_ order: SealOrder) -> Bool {
        waiting.withLock { $0.append(order) }
        return true
    }

    func take() -> [SealOrder] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// What the loop of copies is told.
final class TransferList: Sendable {
    private let events = Mutex<[TransferEvent]>([])

    func append(_ event: TransferEvent) { events.withLock { $0.append(event) } }

    func take() -> [TransferEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

/// What copies ask of the writing thread.
final class TransferWork: Sendable {
    private let waiting = Mutex<[IngestHandler.Transfer]>([])

    func append(_ work: IngestHandler.Transfer) -> Bool {
        waiting.withLock { $0.append(work) }
        return true
    }

    func take() -> [IngestHandler.Transfer] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
