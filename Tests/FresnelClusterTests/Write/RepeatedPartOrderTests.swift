import Foundation
import FresnelModel
import FresnelWire
import TestChance
import Testing

@testable import FresnelCluster

@Suite("W-10: Replicas that have parts from before, in every order of answers")
struct RepeatedPartOrderTests {
    /// A shard of some replicas that all have the first batches, and what they are sent.
    private struct World {
        var broker: BrokerHarness
        var replicas: [Replica]
        var dice: SplitMix64
        /// Batches up to this one are there from before.
        let known: UInt64
        var nextBatch: UInt64 = 2
        var nextLane: UInt8 = 10
        /// What happened, for whoever looks for a fault.
        var trace: [String] = []

        /// A replica with the connection of its worker, and its journal.
        struct Replica {
            let name: String
            let identity: UInt64
            var lane: UInt8
            var isHere = true
            var inbox: [Message] = []
            /// The parts behind the first, each with the one that it follows.
            var journal: [[UInt64]] = []
            var batches: Set<UInt64>

            var last: UInt64 { journal.last?.last ?? 1 }
        }

        init(seed: UInt64) throws {
            dice = SplitMix64(seed: seed)
            let workers = dice.number(in: 2...3)
            known = UInt64(dice.number(in: 2...5))
            broker = BrokerHarness(
                shards: 1, replication: UInt32(workers), expectedWorkers: workers)
            let before = Set(1...known)
            replicas = (1...workers).map {
                Replica(
                    name: "w\($0)", identity: UInt64($0) + 6, lane: UInt8($0), batches: before)
            }
            for replica in replicas { broker.connect(replica.name, replica.lane, .worker) }
            broker.connect("c", 99)
            try broker.put(99, batch: 1)
            for replica in replicas { broker.host(replica.lane, identity: replica.identity) }
            for replica in replicas {
                for part in broker.takeParts(replica.lane) {
                    broker.answer(part, from: replica.lane)
                }
            }
        }

        mutating func collect() {
            for number in replicas.indices where replicas[number].isHere {
                replicas[number].inbox += broker.takeParts(replicas[number].lane)
            }
        }

        mutating func put() throws {
            let envelope = request(nextBatch, budget: .seconds(60))
            try broker.put(99, batch: nextBatch, request: envelope)
            nextBatch += 1
            trace.append("batch \(nextBatch - 1)")
        }

        /// One replica takes in the oldest part that it was sent.
        mutating func work(_ number: Int) {
            guard replicas[number].isHere, !replicas[number].inbox.isEmpty else { return }
            let part = replicas[number].inbox.removeFirst()
            guard case .putPart(let put) = part.command else { return }
            let (lane, last) = (replicas[number].lane, replicas[number].last)
            trace.append(
                "\(replicas[number].name) at \(last) gets batch \(put.batchNumber) as part "
                    + "\(part.envelope.sequence) behind \(put.previousSequence)")
            if replicas[number].batches.contains(put.batchNumber) {
                broker.answer(part, from: lane, last: last, applied: 1)
            } else if put.previousSequence == last {
                replicas[number].journal.append([last, part.envelope.sequence])
                replicas[number].batches.insert(put.batchNumber)
                broker.answer(part, from: lane)
            } else {
                broker.answer(part, from: lane, error: .gap, last: last)
            }
        }

        mutating func leave(_ number: Int) {
            replicas[number].isHere = false
            trace.append("\(replicas[number].name) goes")
            replicas[number].inbox = []
            broker.decide(.unreachable(address(replicas[number].lane, .worker)))
        }

        mutating func comeBack(_ number: Int) {
            replicas[number].isHere = true
            replicas[number].lane = nextLane
            broker.connect(replicas[number].name, nextLane, .worker, boot: UInt64(nextLane))
            broker.host(
                nextLane, identity: replicas[number].identity,
                lastSequence: replicas[number].last)
            nextLane += 1
            trace.append("\(replicas[number].name) is back at \(replicas[number].last)")
        }

        /// Something happens: a batch comes, a worker goes on, one goes or is back.
        mutating func step(batches: UInt64) throws {
            collect()
            let number = dice.below(replicas.count)
            switch dice.below(10) {
            case 0..<2 where nextBatch <= batches: try put()
            case 2 where replicas.allSatisfy(\.isHere): leave(number)
            case 3..<5 where !replicas.allSatisfy(\.isHere):
                comeBack(replicas.firstIndex { !$0.isHere } ?? 0)
            default: work(number)
            }
        }

        /// All that is on its way arrives.
        mutating func settle() {
            for number in replicas.indices where !replicas[number].isHere { comeBack(number) }
            collect()
            while let number = replicas.firstIndex(where: { !$0.inbox.isEmpty }) {
                work(number)
                collect()
            }
        }

        var inSync: [String] {
            let key = ShardKey(index: "items", shard: ShardID(0))
            return (broker.core.writes.shards[key]?.inSync ?? []).map(\.name).sorted()
        }
    }

    @Test("None leaves, each part follows the same one everywhere, and nothing waits for ever")
    func orders() throws {
        let seeds = ProcessInfo.processInfo.environment["FRESNEL_SEEDS"].flatMap { UInt64($0) }
        for seed in 1...(seeds ?? 300) {
            var world = try World(seed: seed)
            for _ in 0..<80 { try world.step(batches: 9) }
            world.settle()
            while world.nextBatch <= 10 {
                try world.put()
                world.settle()
            }
            let acks = world.broker.acks(99)
            let isWell =
                world.inSync == world.replicas.map(\.name)
                && Set(world.replicas.map(\.journal)).count == 1
                && world.replicas[0].batches == Set(1...10)
                && acks.count == 10 && acks.allSatisfy { $0.applied == 5 }
                && world.broker.core.writes.isAtRest
            guard !isWell else { continue }
            let trace = world.trace.joined(separator: "\n")
            Issue.record("seed \(seed), in sync \(world.inSync):\n\(trace)")
            return
        }
    }
}
