import FresnelKernels
import FresnelModel
import FresnelWire
import Foundation
import Testing

@testable import FresnelCluster

@Suite("Copies of replicas")
struct TransferTests {
    @Test("R-5, R-8, R-9: whatever is lost, doubled, damaged or restarted, a copy becomes equal")
    func seeds() {
        let count = ProcessInfo.processInfo.environment["FRESNEL_SEEDS"].flatMap { UInt64($0) }
        var tally: [String: Int] = [:]
        for seed in 1...(count ?? 300) {
            var simulation = TransferSimulation(seed: seed)
            simulation.run()
            tally.merge(simulation.tally, uniquingKeysWith: +)
            for problem in simulation.problems { Issue.record("seed \(seed): \(problem)") }
        }
        print(tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
        for event in [
            "lost", "doubled", "damaged", "donor restarts", "receiver restarts", "disk full",
            "forks", "installed", "appended", "live",
        ] {
            #expect(tally[event, default: 0] > 0, "\(event) never happened")
        }
    }

    private func offer(_ ticket: UInt64, epoch: UInt32, rate: UInt64 = 0) -> WireOfferReplica {
        var offer = WireOfferReplica()
        offer.index = "default"
        offer.shard = 3
        offer.epoch = epoch
        offer.ticketLow = ticket
        offer.bytesPerSecond = rate
        return offer
    }

    private func fetch(_ ticket: UInt64, at offset: UInt64 = 0) -> WireFetchReplica {
        var fetch = WireFetchReplica()
        fetch.ticketLow = ticket
        fetch.piece = .file
        fetch.file = "a"
        fetch.offset = offset
        fetch.length = 1 << 19
        return fetch
    }

    private func isRead(_ effects: [TransferEffect]) -> Bool {
        effects.contains { if case .donate(.read) = $0 { true } else { false } }
    }

    @Test(
        "R-10: a replica is read under several tickets; a withdrawn one, and an old order, is void")
    func epochs() {
        var core = TransferCore()
        let now = Instant(nanoseconds: 0)
        _ = core.decide(.ordered(.offer(offer(1, epoch: 5))), at: now)
        _ = core.decide(.ordered(.offer(offer(2, epoch: 6))), at: now)
        #expect(core.donor.ticketCount == 2)
        _ = core.decide(.ordered(.offer(offer(3, epoch: 5))), at: now)
        #expect(core.donor.ticketCount == 2, "an older epoch")
        #expect(isRead(core.decide(.fetched(fetch(1), number: 1, from: [1]), at: now)))
        var withdrawn = offer(2, epoch: 6)
        withdrawn.withdrawn = true
        _ = core.decide(.ordered(.offer(withdrawn)), at: now)
        let effects = core.decide(.fetched(fetch(2), number: 1, from: [2]), at: now)
        guard case .donate(.answer(_, _, let chunk, _)) = effects.first else {
            Issue.record("a withdrawn ticket is answered with \(effects)")
            return
        }
        #expect(chunk.failure.code == ErrorCode.staleEpoch.number)
        var order = WireCatchUp()
        order.index = "default"
        order.shard = 3
        order.epoch = 7
        let ended = core.decide(.ordered(.catchUp(order)), at: now)
        #expect(core.donor.ticketCount == 0 && core.copyCount == 1)
        #expect(ended.contains { if case .donate(.release) = $0 { true } else { false } })
    }

    @Test(
        "R-10: a withdrawal ends the copy of its own ticket, not one that waits under a newer one")
    func withdrawals() {
        var core = TransferCore()
        let now = Instant(nanoseconds: 0)
        func order(_ shard: UInt32, _ ticket: UInt64) -> WireCatchUp {
            var order = WireCatchUp()
            order.index = "default"
            order.shard = shard
            order.epoch = 1
            order.ticketLow = ticket
            return order
        }
        let places = UInt32(Limits.transferCopies)
        for shard in 0..<places {
            _ = core.decide(.ordered(.catchUp(order(shard, 1))), at: now)
        }
        _ = core.decide(.ordered(.catchUp(order(places, 8))), at: now)
        #expect(core.copyCount == Int(places) + 1)
        var withdrawn = order(places, 7)
        withdrawn.withdrawn = true
        _ = core.decide(.ordered(.catchUp(withdrawn)), at: now)
        #expect(core.receivedShards.contains(ShardKey(index: "default", shard: ShardID(places))))
        withdrawn.ticketLow = 8
        _ = core.decide(.ordered(.catchUp(withdrawn)), at: now)
        #expect(core.copyCount == Int(places))
    }

    @Test("R-7: a ticket gets what its rate allows, over time, and others are not held up by it")
    func rates() {
        var core = TransferCore()
        var now = Instant(nanoseconds: 0)
        _ = core.decide(.ordered(.offer(offer(1, epoch: 1, rate: 1 << 20))), at: now)
        _ = core.decide(.ordered(.offer(offer(2, epoch: 1))), at: now)
        var sent: [UInt64: Int] = [:]
        var numbers: UInt64 = 0
        for _ in 0..<400 {
            now = now + .milliseconds(25)
            numbers += 1
            var queue = core.decide(.tick, at: now)
            for ticket in UInt64(1)...2 {
                queue += core.decide(.fetched(fetch(ticket), number: numbers, from: [1]), at: now)
            }
            while let effect = queue.popLast() {
                guard case .donate(.read(let id, _, let ticket, let fetch)) = effect else {
                    continue
                }
                sent[ticket.low, default: 0] += Int(fetch.length)
                let piece = TransferPiece(
                    payload: [UInt8](repeating: 0, count: Int(fetch.length)), total: 1 << 30)
                queue += core.decide(.pieceRead(id, .read(piece)), at: now)
            }
        }
        // Ten seconds at 1 MiB a second, and one piece of debt.
        let limited = sent[1, default: 0]
        #expect((9 << 20)...(11 << 20) ~= limited, "\(limited) bytes")
        #expect(sent[2, default: 0] >= 390 << 19)
    }

    @Test("R-3: what could not be sent, since nobody is connected yet, is asked again at once")
    func unsent() {
        var core = TransferCore()
        var now = Instant(nanoseconds: 0)
        var order = WireCatchUp()
        order.index = "default"
        order.shard = 3
        order.epoch = 1
        let started = core.decide(.ordered(.catchUp(order)), at: now)
        guard case .connect(let id, _) = started.first else {
            Issue.record("a copy begins with \(started)")
            return
        }
        let looked = CopyProgress.looked(last: SequenceNumber(7), identity: ReplicaIdentity(1))
        var asked = questions(core.decide(.progressed(id, looked), at: now))
        for _ in 0..<3 {
            #expect(asked.count == 1)
            #expect(core.decide(.unsent(id, number: asked.first ?? 0), at: now).isEmpty)
            now = now + .milliseconds(50)
            asked = questions(core.decide(.tick, at: now))
        }
        now = now + .milliseconds(50)
        #expect(questions(core.decide(.tick, at: now)).isEmpty, "what was sent is waited for")
        for _ in 0..<800 {
            for number in asked { _ = core.decide(.unsent(id, number: number), at: now) }
            now = now + .milliseconds(50)
            asked = questions(core.decide(.tick, at: now))
        }
        #expect(core.copyCount == 0, "a donor to whom nothing can be sent is given up")
    }

    /// The numbers of what a receiver asks.
    private func questions(_ effects: [TransferEffect]) -> [UInt64] {
        effects.compactMap {
            if case .receive(_, _, .ask(let number, _)) = $0 { number } else { nil }
        }
    }
}
