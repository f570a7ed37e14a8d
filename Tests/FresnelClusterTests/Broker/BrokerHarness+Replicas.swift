import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

extension BrokerHarness {
    /// A broker with one shard, whose replicas of workers a (1), b (2) and maybe c (3) have part 1,
    /// and with a client (9).
    static func withReplicas(workers: Int = 2) throws -> BrokerHarness {
        var broker = BrokerHarness(
            shards: 1, replication: UInt32(workers), expectedWorkers: workers)
        for (number, name) in ["a", "b", "c"].prefix(workers).enumerated() {
            broker.connect(name, UInt8(number + 1), .worker)
        }
        broker.connect("client", 9)
        try broker.put(9, batch: 1)
        for number in 1...workers { broker.host(UInt8(number), identity: UInt64(number) + 6) }
        for number in 1...workers {
            for part in broker.takeParts(UInt8(number)) { broker.answer(part, from: UInt8(number)) }
        }
        #expect(broker.acks(9).count == 1)
        return broker
    }

    /// Worker b (2) refused part 2, and copied what a (1) has; that is at part 3 by now.
    ///
    /// - Parameter phase: once it has caught up, it gets part 3 and all that follow.
    static func behind(
        _ phase: WireReplicaPhase = .caughtUp, workers: Int = 2
    ) throws -> BrokerHarness {
        var broker = try BrokerHarness.withReplicas(workers: workers)
        try broker.put(9, batch: 2)
        for number in [1, 3] as [UInt8] {
            for part in broker.takeParts(number) { broker.answer(part, from: number) }
        }
        for part in broker.takeParts(2) { broker.answer(part, from: 2, error: .diskFull, last: 1) }
        #expect(broker.acks(9).count == 2, "taken without it")
        broker.decide(.tick)
        let order = try #require(broker.catchUpOrder(of: 2))
        try broker.write(3)
        let state = WireReplicaState(order, phase, last: 2, identity: 8)
        broker.receive(.replicaState(state), from: address(2, .worker))
        return broker
    }

    /// The newest order to a worker to make its replica equal to another.
    func catchUpOrder(of number: UInt8) -> WireCatchUp? {
        messages(to: address(number, .worker)).lazy.compactMap { message in
            if case .catchUp(let order) = message.command { order } else { nil }
        }.last
    }

    /// Writes a batch that a, and c where it is there, take at once.
    mutating func write(_ batch: UInt64, at seconds: Double = 0) throws {
        try put(9, batch: batch, after: seconds)
        for number in [1, 3] as [UInt8] {
            for part in takeParts(number) { answer(part, from: number, after: seconds) }
        }
        decide(.tick, after: seconds)
    }

    /// The loops of these workers live.
    mutating func pong(_ numbers: [UInt8], after seconds: Double) {
        for number in numbers {
            receive(.pong(WirePulse()), from: address(number, .worker), after: seconds)
        }
    }
}

extension WireReplicaState {
    /// How far a copy is that was ordered.
    init(_ order: WireCatchUp, _ phase: WireReplicaPhase, last: UInt64, identity: UInt64) {
        self.init()
        index = order.index
        shard = order.shard
        epoch = order.epoch
        ticketHigh = order.ticketHigh
        ticketLow = order.ticketLow
        self.phase = phase
        lastSequence = last
        self.identity = identity
    }
}
