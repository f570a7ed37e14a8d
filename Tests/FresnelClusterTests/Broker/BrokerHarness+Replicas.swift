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
