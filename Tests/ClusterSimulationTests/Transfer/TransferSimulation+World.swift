import FresnelModel
import FresnelWire
import TestChance

@testable import FresnelCluster

// The network between the two, the broker, and what the donor's replica does meanwhile.

extension TransferSimulation {
    /// Lost, doubled, late: as often as the seed says.
    private mutating func arrivals() -> [Int] {
        guard isTroubled else { return [100 + chance.below(300)] }
        if chance.chance(6) { tally["lost", default: 0] += 1; return [] }
        let late = chance.chance(10) ? 20_000 : 500
        if chance.chance(6) {
            tally["doubled", default: 0] += 1
            return [100 + chance.below(late), 100 + chance.below(late)]
        }
        return [100 + chance.below(late)]
    }

    mutating func send(_ fetch: WireFetchReplica, number: UInt64, of id: CopyID) {
        for delay in arrivals() {
            schedule(
                .toDonor(fetch, number: number, connection: id.number), after: 0, micros: delay)
        }
    }

    mutating func deliver(_ chunk: WireReplicaChunk, _ number: UInt64, _ payload: [UInt8]) {
        guard let id = connections.last else { return }
        for delay in arrivals() {
            var payload = payload
            if isTroubled, chance.chance(4), !payload.isEmpty {
                tally["damaged", default: 0] += 1
                payload[chance.below(payload.count)] ^= 1 << UInt8(chance.below(8))
            }
            schedule(
                .toReceiver(id, chunk, number: number, payload: payload), after: 0, micros: delay)
        }
    }

    /// A new ticket: first, and whenever one failed or was forgotten.
    mutating func order() {
        if wasFull, !incoming.isEmpty { problems.append("a full disk keeps what filled it") }
        wasFull = false
        ticket += 1
        epoch += 1
        var offer = WireOfferReplica()
        offer.index = Self.shard.index
        offer.shard = Self.shard.shard.number
        offer.epoch = epoch
        offer.ticketHigh = ticket
        offer.ticketLow = ~ticket
        offer.bytesPerSecond = rate
        var order = WireCatchUp()
        order.index = offer.index
        order.shard = offer.shard
        order.epoch = epoch
        order.ticketHigh = ticket
        order.ticketLow = ~ticket
        order.donorEndpoint = "tcp://127.0.0.1:7720"
        order.donorWorker = "w1"
        // In any order, and more than once.
        let first = chance.chance(50)
        if first { apply(donor.decide(.ordered(.offer(offer)), at: now), isDonor: true) }
        apply(receiver.decide(.ordered(.catchUp(order)), at: now), isDonor: false)
        if chance.chance(20) {
            apply(receiver.decide(.ordered(.catchUp(order)), at: now), isDonor: false)
        }
        if !first { apply(donor.decide(.ordered(.offer(offer)), at: now), isDonor: true) }
    }

    /// What the broker hears.
    mutating func heard(_ state: WireReplicaState) {
        tally["\(state.phase)", default: 0] += 1
        guard state.epoch == epoch else { return }
        switch state.phase {
        case .failed:
            tally["failed \(state.failure.code)", default: 0] += 1
            if state.failure.code == ErrorCode.diskFull.number {
                capacity = .max
                wasFull = true
            }
            schedule(.order, after: 500)
        case .caughtUp:
            // Parts of the broker may have come since.
            if state.lastSequence > target.last { problems.append("it says too much") }
            // Writes have ended by then, so that equal means all.
            if !isTroubled, target.last == source.last {
                isCaughtUp = true
            } else {
                schedule(.order, after: 200)
            }
        default: break
        }
        check()
    }

    /// What the receiver has is always what the donor has, or had, save a fork it began with.
    mutating func check() {
        guard isCaughtUp || target.identity > 1 else { return }
        if !source.entries.starts(with: target.entries) { problems.append("the copy differs") }
    }

    mutating func write() {
        guard isTroubled else { return }
        schedule(.write, after: 1 + chance.below(60))
        source.write(source.last + UInt64(2 * (1 + chance.below(3))), using: &chance)
        guard let entry = source.entries.last, chance.chance(50) else { return }
        // The broker sends it to the receiver as well: taken if it follows.
        if hasReplica, target.entries.last == source.entries.dropLast().last {
            _ = target.append(entry)
            tally["live", default: 0] += 1
        }
    }

    /// The donor merges, seals, and drops journal files that nobody keeps.
    mutating func maintain() {
        guard isTroubled else { return }
        schedule(.maintain, after: 20 + chance.below(300))
        source.regroup(using: &chance)
        if pins.isEmpty { source.journalStart = source.entries.count }
    }

    mutating func restartDonor() {
        tally["donor restarts", default: 0] += 1
        donor = TransferCore(sizes: Self.sizes)
        pins = [:]
        agenda.removeAll { if case .read = $0.step { true } else { false } }
        source.journalStart = min(
            source.entries.count, source.journalStart + chance.below(20))
    }

    mutating func restartReceiver() {
        tally["receiver restarts", default: 0] += 1
        receiver = TransferCore(sizes: Self.sizes)
        connections = []
        agenda.removeAll {
            switch $0.step {
            case .act, .progress, .toReceiver: true
            default: false
            }
        }
        // What was not synced may be lost, or wrong.
        for name in incoming.keys.sorted() where incoming[name]?.isWhole == false {
            guard var bytes = incoming[name]?.bytes, !bytes.isEmpty else { continue }
            bytes.removeLast(chance.below(bytes.count + 1))
            if !bytes.isEmpty, chance.chance(30) { bytes[bytes.count - 1] = 0 }
            incoming[name] = (bytes, false)
        }
        schedule(.order, after: 100)
    }

    /// What the donor's reading thread does.
    mutating func piece(_ fetch: WireFetchReplica, for ticket: TransferTicket) -> PieceOutcome {
        switch fetch.piece {
        case .manifest:
            if fetch.file.isEmpty {
                let files = source.files
                pins[ticket] = Pinned(
                    manifest: ModelReplica.manifest(files.map(\.name)),
                    files: Dictionary(files.map { ($0.name, $0.bytes) }) { first, _ in first })
            }
            guard let pin = pins[ticket] else { return gone }
            let name = ModelReplica.name(of: pin.manifest)
            guard fetch.file.isEmpty || fetch.file == name else { return gone }
            return slice(pin.manifest, fetch, name)
        case .file:
            guard let bytes = pins[ticket]?.files[fetch.file] else { return gone }
            return slice(bytes, fetch)
        default:
            let held = source.entries.dropFirst(source.journalStart)
            let start =
                source.journalStart == 0
                ? 0 : source.entries[source.journalStart - 1].sequence
            guard fetch.afterSequence >= start, fetch.afterSequence <= source.last,
                fetch.afterSequence == start
                    || held.contains(where: { $0.sequence == fetch.afterSequence })
            else { return gone }
            if pins[ticket] == nil { pins[ticket] = Pinned() }
            return slice(
                ModelReplica.encode(held.filter { $0.sequence > fetch.afterSequence }), fetch)
        }
    }

    private var gone: PieceOutcome { .refused(WireFailure(.gap, "not held")) }

    private func slice(
        _ bytes: [UInt8], _ fetch: WireFetchReplica, _ name: String = ""
    ) -> PieceOutcome {
        let start = min(bytes.count, Int(fetch.offset))
        let end = min(bytes.count, start + Int(fetch.length))
        return .read(
            TransferPiece(
                payload: Array(bytes[start..<end]), total: UInt64(bytes.count), file: name,
                lastSequence: source.last, replicaBytes: 1))
    }
}
