import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The worker's writing thread: opens shards, journals and applies parts, and says when to seal.
///
/// Parts that arrive together share one fsync per shard (group commit).
final class IngestHandler: LoopHandler {
    /// What the worker's loop asks for.
    enum Mail: Sendable {
        case host([WireIndexAssignment])
        case ingest(PartTicket, WritePart)
        case transfer(Transfer)
        /// Nothing was written to it for a while, and its segments are merged.
        case settle(ReplicaIndex)
        /// A merge found something in it damaged.
        case damaged(ReplicaIndex)
        /// The sealing thread has carried out an order.
        case sealed
        /// Tell the broker what lies in the directory.
        case survey
        /// The directory is of this cluster.
        case join(cluster: UInt64)
        /// Replicas have come to rest: what was freed goes back to the system.
        case giveBack
    }

    let directory: WorkerDirectory
    let table: ReplicaTable
    let environment: Environment
    let settings: Settings
    let logger: Logger
    /// Hands events to the worker's loop.
    let report: @Sendable (WorkerEvent) -> Void
    /// Hands events to the copies' loop.
    let transfer: @Sendable (TransferEvent) -> Void
    let pins: JournalPins
    let dropBound: DropBound
    private let brokerTime: BrokerTime
    /// Hands a replica to the merging thread.
    let merge: @Sendable (ReplicaIndex) -> Void
    /// Hands an order to the sealing thread; nil without one.
    let sealOutside: (@Sendable (SealOrder) -> Bool)?
    /// Hands what waits for the disk to a syncing thread; nil without one.
    private let syncOutside: (@Sendable (DiskWait) -> Void)?
    let isStopping: @Sendable () -> Bool
    var replicas: [ShardKey: Replica] = [:]
    var assignments: [ShardKey: WireIndexAssignment] = [:]
    /// Copies that ask for records until a part of the broker follows.
    var followers: [ShardKey: CopyID] = [:]
    /// Where journals end whose sync failed, until they are open again.
    var refusedTails: [ShardKey: RefusedTail] = [:]
    /// The replicas that this process has opened, by shard.
    var opened: [ShardKey: ReplicaIdentity] = [:]
    /// Shards of which a replica is known here that is not here.
    var missing: [ShardKey: AbsentReplica] = [:]
    /// Why other shards did not open, as the broker was told it.
    var failed: [ShardKey: HostingFailure] = [:]
    /// Records of other replicas that wait for their turn.
    var copied = CopiedRecords()
    private var waiting: [(ticket: PartTicket, part: WritePart)] = []
    private var vitalsDue: Int64 = 0
    private var vitalsCount = 0
    /// Seconds between two attempts to open what could not be opened.
    private static let vitalsPerRetry = 5
    var isDirty = false
    /// Whether the disk refused something since there was room.
    var isDiskFull = false

    init(
        directory: WorkerDirectory, table: ReplicaTable, environment: Environment,
        settings: Settings, logger: Logger, outlets: Outlets
    ) {
        self.directory = directory
        self.table = table
        self.environment = environment
        self.settings = settings
        self.logger = logger
        report = outlets.report
        merge = outlets.merge
        sealOutside = outlets.seal
        syncOutside = outlets.sync
        transfer = outlets.transfer
        pins = outlets.pins
        dropBound = outlets.dropBound
        brokerTime = outlets.brokerTime
        isStopping = outlets.isStopping
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: Mail) {
        switch mail {
        case .host(let assignments):
            // What waits was sent for the replicas as they were.
            ingestWaiting()
            host(assignments)
        case .ingest(let ticket, let part):
            waiting.append((ticket, part))
        case .transfer(let work): perform(work)
        case .settle(let index):
            for replica in replicas.values where replica.index === index { settle(replica) }
        case .damaged(let index):
            for replica in replicas.values where replica.index === index { reopen(replica.shard) }
        case .sealed: sealDue()
        case .survey:
            let indexes = FilePath.join(directory.path, "indexes")
            logger.error(
                "\(indexes) is of another cluster than the broker; it is not served nor changed")
            survey(besides: [])
        case .join(let cluster): join(cluster)
        case .giveBack: ProcessMemory.giveBackFreeEnd()
        }
    }

    func finishTurn() -> Duration? {
        ingestWaiting()
        takeCopied()
        if isDirty { seal(isClosing: false) }
        let now = environment.time.monotonicNanoseconds()
        if now >= vitalsDue {
            vitalsDue = now + 1_000_000_000
            report(.vitals(residentBytes: residentBytes, inventory))
            let freeBytes = reportDisk()
            vitalsCount += 1
            restoreReserves()
            makeRoom(freeBytes: freeBytes)
            sealDue()
            if vitalsCount.isMultiple(of: Self.vitalsPerRetry) {
                reopenFailed()
                if isDiskFull { replicas.values.forEach(removeStrays) }
            }
        }
        // What arrived meanwhile goes before further copied records.
        return copied.isEmpty ? .nanoseconds(max(1_000_000, vitalsDue - now)) : .zero
    }

    func stop() {
        ingestWaiting()
        seal(isClosing: true)
    }

    /// The time by which documents are counted, as queries count them.
    var now: Timestamp { brokerTime.now(environment.time) }

    var inventory: [WireShardInventory] {
        let open = replicas.values.sorted { $0.shard < $1.shard }.map {
            $0.inventory(
                now: now, replacesLost: settings.replacesLost, acceptsLoss: settings.acceptsLoss)
        }
        let gone = missing.sorted { $0.key < $1.key }.map {
            WireShardInventory(of: $0.key, $0.value, acceptsLoss: settings.acceptsLoss)
        }
        return open + gone
    }

    private var residentBytes: UInt64 {
        // A figure for status only: without it the worker works as well.
        (try? ProcessMemory.residentBytes()).map { UInt64($0) } ?? 0
    }

    private func host(_ assignments: [WireIndexAssignment]) {
        survey(besides: assignments)
        var failures: [HostingFailure] = []
        for assignment in assignments {
            for number in assignment.shards {
                let key = ShardKey(index: assignment.index, shard: ShardID(number))
                self.assignments[key] = assignment
                if let replica = replicas[key] {
                    guard replica.index.settings.isOther(than: assignment) else { continue }
                    // Its documents were spread over another number of shards, or are those of
                    // another index of that name: opened anew, the directory is refused.
                    close(key)
                }
                if isStopping() { return }
                guard isWorthATry(key, assignment) else { continue }
                do {
                    try open(key, as: assignment)
                    // One by one: a shard that takes long to open keeps no other one back.
                    report(.hosted(inventory, failures: []))
                } catch .stopped {
                    return
                } catch {
                    failures += note(error, of: key)
                }
            }
        }
        report(.hosted(inventory, failures: failures))
    }

    /// - Parameter isCopy: whether a copy was just put in the replica's place, which has an
    ///   identity of its own.
    func open(
        _ shard: ShardKey, as assignment: WireIndexAssignment, isCopy: Bool = false
    ) throws(WorkerError) {
        try directory.settleRestored(shard, assignment)
        if !isCopy { try refuseOthers(of: shard, assignment) }
        let replica = try Replica(
            shard, in: directory,
            settings: ReplicaSettings(shard, assignment, retention: settings.retention),
            environment: environment, sealThresholdBytes: self.settings.sealThresholdBytes,
            reserveBytes: self.settings.reserveBytes, cutting: refusedTails[shard],
            isStopping: isStopping)
        refusedTails[shard] = nil
        missing[shard] = nil
        failed[shard] = nil
        opened[shard] = replica.index.identity
        replicas[shard] = replica
        table[shard] = replica.index
        merge(replica.index)
        replica.warnOfTornTail(logger)
        removeStrays(of: replica)
        logger.info(
            "opened shard \(shard.shard.number) of index \(shard.index)",
            metadata: [
                "sequence": "\(replica.lastSequence.value)",
                "documents": "\(replica.index.documentCount(at: now))",
                "segmentsMadeAnew": "\(replica.index.refoldedSegments)",
            ])
    }

    /// Journals everything that waits, syncs each journal once, applies, and acknowledges.
    func ingestWaiting() {
        guard !waiting.isEmpty else { return }
        let batch = waiting
        waiting = []
        isDirty = true
        let isShort = takesDeletionsOnly
        var appended: [Appended] = []
        for (ticket, part) in batch {
            let key = ShardKey(index: part.put.index, shard: ShardID(part.put.shard))
            guard let replica = replicas[key] else {
                report(.ingested(ticket, Self.notHosted(part)))
                continue
            }
            // A resend of what waits for its fsync in this very turn must find it applied.
            if appended.contains(where: { $0.replica === replica && $0.part.isResent(by: part) }) {
                settle(appended)
                appended = []
            }
            let answer: WirePartAck
            if let earlier = replica.earlierAnswer(to: part) {
                answer = earlier
            } else if let failure = replica.refusalOfFullDisk(part, isShort)
                ?? replica.append(part)
            {
                answer = replica.refusal(of: part, because: failure)
            } else {
                appended.append((ticket, part, replica))
                continue
            }
            guard replica.hasUnsynced else {
                report(.ingested(ticket, answer))
                continue
            }
            // It would name a part that a crash in this moment loses.
            settle(appended)
            appended = []
            report(.ingested(ticket, replica.renewed(answer)))
        }
        settle(appended)
    }

    /// Makes appended parts durable, applies and acknowledges them, shard by shard.
    ///
    /// The disk syncs all their journals at once, which costs it little more than one.
    private func settle(_ appended: [Appended]) {
        let concerned = replicas.values.compactMap { replica in
            let entries = appended.filter { $0.replica === replica }
            return entries.isEmpty ? nil : (replica, entries)
        }
        let begun = concerned.map { $0.0.beginSettling(outside: syncOutside) }
        for ((replica, entries), begun) in zip(concerned, begun) {
            settle(entries, of: replica, begun)
        }
    }

    /// Applies parts of a journal together and acknowledges them in their order.
    private func settle(_ entries: [Appended], of replica: Replica, _ begun: Replica.Begun) {
        let parts = entries.map(\.part)
        switch replica.settle(parts, begun) {
        case .applied(let acks): acknowledge(entries[...], acks, of: replica)
        case .refused(let failure):
            let isFull = failure.code == ErrorCode.diskFull.number
            noteFailure(isFull)
            var durable = 0
            if isFull, !replica.isPoisoned {
                durable = replica.journalDeletions(of: parts)
                if durable > 0 {
                    let acks = replica.apply(Array(parts.prefix(durable)))
                    acknowledge(entries.prefix(durable), acks, of: replica)
                }
            }
            for (ticket, part, _) in entries.dropFirst(durable) {
                report(.ingested(ticket, replica.refusal(of: part, because: failure)))
            }
        }
    }

    private func acknowledge(
        _ entries: ArraySlice<Appended>, _ acks: [WirePartAck], of replica: Replica
    ) {
        for (entry, ack) in zip(entries, acks) { report(.ingested(entry.ticket, ack)) }
        tookPart(replica.shard)
    }

    /// A part in the journal that is not yet durable.
    private typealias Appended = (ticket: PartTicket, part: WritePart, replica: Replica)
}
