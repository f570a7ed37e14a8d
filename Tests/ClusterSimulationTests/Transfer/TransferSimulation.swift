import FresnelModel
import FresnelWire
import TestChance

@testable import FresnelCluster

/// A broker that orders a copy, a donor that goes on living, a receiver, and everything that can
/// happen between them, by one seed.
struct TransferSimulation {
    enum Step {
        case toDonor(WireFetchReplica, number: UInt64, connection: UInt64)
        case toReceiver(CopyID, WireReplicaChunk, number: UInt64, payload: [UInt8])
        case read(PieceID, TransferTicket, WireFetchReplica)
        case progress(CopyID, CopyProgress)
        case act(CopyID, ReplicaReceiver.Effect)
        case order
        case write
        case maintain
        case restartDonor
        case restartReceiver
        case tick
    }

    struct Pinned {
        var manifest: [UInt8] = []
        var files: [String: [UInt8]] = [:]
    }

    static let shard = ShardKey(index: "default", shard: ShardID(3))

    var chance: SplitMix64
    var now = Instant(nanoseconds: 0)
    var agenda: [(at: Instant, turn: UInt64, step: Step)] = []
    var turn: UInt64 = 0
    var donor = TransferCore(sizes: Self.sizes)
    var receiver = TransferCore(sizes: Self.sizes)
    var donorEra = 0
    var receiverEra = 0
    var source = ModelReplica()
    var target = ModelReplica()
    var hasReplica = false
    /// Files beside the replica: what is written of them, and whether they were compared.
    var incoming: [String: (bytes: [UInt8], isWhole: Bool)] = [:]
    var incomingManifest: [String] = []
    var pins: [TransferTicket: Pinned] = [:]
    var ticket: UInt64 = 0
    var epoch: UInt32 = 0
    var isCaughtUp = false
    var problems: [String] = []
    var capacity = Int.max
    var wasFull = false
    var tally: [String: Int] = [:]
    var rate: UInt64 = 0
    /// Until then things go wrong.
    let trouble = Instant(nanoseconds: 4_000_000_000)
    static let sizes = TransferSizes(requestBytes: 64, creditBytes: 512)

    init(seed: UInt64) {
        chance = SplitMix64(seed: seed)
        var sequence: UInt64 = 0
        for _ in 0..<chance.below(200) {
            sequence += UInt64(2 * (1 + chance.below(3)))
            source.write(sequence, using: &chance)
        }
        source.regroup(using: &chance)
        source.journalStart = chance.below(source.entries.count + 1)
        rate = chance.chance(30) ? UInt64(2000 + chance.below(20_000)) : 0
        beginTarget()
        schedule(.order, after: 1)
        schedule(.tick, after: 10)
        schedule(.write, after: 5)
        schedule(.maintain, after: 50)
        if chance.chance(30) { schedule(.restartDonor, after: 20 + chance.below(1500)) }
        if chance.chance(30) { schedule(.restartReceiver, after: 20 + chance.below(1500)) }
        if chance.chance(15) { capacity = 500 + chance.below(4000) }
    }

    /// The receiver starts with nothing, with the beginning of the records, or with a fork of it.
    private mutating func beginTarget() {
        hasReplica = chance.chance(70)
        guard hasReplica, !source.entries.isEmpty, chance.chance(80) else { return }
        target.entries = Array(source.entries.prefix(chance.below(source.entries.count + 1)))
        guard chance.chance(20) else { return }
        // Its number was given to nobody else: the broker gives each once.
        target.write(target.last + 1, using: &chance)
        tally["forks", default: 0] += 1
    }

    mutating func schedule(_ step: Step, after milliseconds: Int, micros: Int = 0) {
        turn += 1
        let at = now + .microseconds(milliseconds * 1000 + micros)
        agenda.append((at, turn, step))
    }

    mutating func run() {
        var steps = 0
        while !isCaughtUp, problems.isEmpty, steps < 30_000 {
            steps += 1
            guard
                let next = agenda.indices.min(by: {
                    (agenda[$0].at, agenda[$0].turn) < (agenda[$1].at, agenda[$1].turn)
                })
            else { break }
            let entry = agenda.remove(at: next)
            now = entry.at
            perform(entry.step)
        }
        if !isCaughtUp, problems.isEmpty { problems.append("it never caught up, \(steps) steps") }
    }

    var isTroubled: Bool { now < trouble }

    private mutating func perform(_ step: Step) {
        switch step {
        case .toDonor(let fetch, let number, let connection):
            let peer = [UInt8(truncatingIfNeeded: connection)]
            apply(
                donor.decide(.fetched(fetch, number: number, from: peer), at: now), isDonor: true)
        case .toReceiver(let id, let chunk, let number, let payload):
            let event = TransferEvent.chunk(id, chunk, number: number, payload: payload)
            apply(receiver.decide(event, at: now), isDonor: false)
        case .read(let id, let ticket, let fetch):
            let outcome = piece(fetch, for: ticket)
            apply(donor.decide(.pieceRead(id, outcome), at: now), isDonor: true)
        case .progress(let id, let progress):
            apply(receiver.decide(.progressed(id, progress), at: now), isDonor: false)
        case .act(let id, let effect): act(effect, of: id)
        case .order: order()
        case .write: write()
        case .maintain: maintain()
        case .restartDonor: restartDonor()
        case .restartReceiver: restartReceiver()
        case .tick:
            schedule(.tick, after: 10)
            apply(donor.decide(.tick, at: now), isDonor: true)
            apply(receiver.decide(.tick, at: now), isDonor: false)
        }
    }

    mutating func apply(_ effects: [TransferEffect], isDonor: Bool) {
        for effect in effects {
            switch effect {
            case .report(let state): heard(state)
            case .donate(.read(let id, _, let ticket, let fetch)):
                schedule(.read(id, ticket, fetch), after: 0, micros: 20 + chance.below(500))
            case .donate(.answer(_, let number, let chunk, let payload)):
                deliver(chunk, number, payload)
            case .donate(.confirm): break
            case .donate(.release(let ticket)): pins[ticket] = nil
            case .receive(let id, _, .ask(let number, let fetch)):
                // Every copy has its own connection; the newest one is that of the newest copy.
                send(fetch, number: number, of: id)
            case .receive(let id, _, let effect):
                enqueue(.act(id, effect))
            case .connect(let id, _): connections.append(id)
            case .disconnect(let id): connections.removeAll { $0 == id }
            case .drop, .log: break
            }
        }
    }

    var connections: [CopyID] = []
    /// When the thread of the receiver's files is done with what it has to do.
    var threadFree = Instant(nanoseconds: 0)

    /// Hands something to the thread of the receiver's files, or takes its answer: in order.
    mutating func enqueue(_ step: Step) {
        threadFree = max(threadFree, now) + .microseconds(10 + chance.below(300))
        turn += 1
        agenda.append((threadFree, turn, step))
    }
}
