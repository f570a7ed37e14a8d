import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Indexes that are removed")
struct IndexRemovalTests {
    /// Workers w (1) and v (3) with one shard of index items on each; client 2.
    private func broker(workers: Int = 1) throws -> BrokerHarness {
        var broker = BrokerHarness(shards: UInt32(workers), expectedWorkers: workers)
        broker.connect("w", 1, .worker)
        if workers > 1 { broker.connect("v", 3, .worker) }
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        for number in [1, 3].prefix(workers) as ArraySlice<UInt8> {
            broker.host(number, identity: UInt64(number) + 6)
            for part in broker.takeParts(number) { broker.answer(part, from: number, documents: 5) }
        }
        return broker
    }

    @Test("A worker is told to remove the directory that is meant, once the removal is durable")
    func removes() throws {
        var broker = try broker()
        broker.writesAtOnce = false
        broker.change(.remove, index: "items", number: 5)
        broker.decide(.tick, after: 1)
        #expect(broker.indexesChanged == nil && broker.removals(1).isEmpty)
        broker.write()
        #expect(broker.indexesChanged?.documents == 5)
        broker.writesAtOnce = true
        broker.decide(.tick, after: 2)
        let order = try #require(broker.removals(1).first)
        #expect(order.identity == 7 && order.index == "items" && order.epoch > 1)
        broker.decide(.tick, after: 3)
        #expect(broker.removals(1).count == 1, "it has some time")
        broker.removed(order, by: 1, after: 3)
        #expect(broker.core.state.names.removed.isEmpty)
        broker.decide(.tick, after: 30)
        #expect(broker.removals(1).count == 1)
    }

    @Test("A crash before the removal is durable leaves the index as it was")
    func crash() throws {
        var broker = try broker()
        let durable = broker.core.state
        broker.writesAtOnce = false
        broker.change(.remove, index: "items", number: 5)
        for second in 1...5 { broker.decide(.tick, after: Double(second)) }
        #expect(broker.removals(1).isEmpty && broker.indexesChanged == nil)
        var next = BrokerHarness(state: durable)
        next.connect("w", 1, .worker, boot: 1)
        next.host(1, identity: 7, lastSequence: 1)
        next.decide(.tick, after: 2)
        let key = ShardKey(index: "items", shard: ShardID(0))
        #expect(next.core.searchableReplicas(of: key).count == 1)
        #expect(next.removals(1).isEmpty)
    }

    @Test("A worker that was away is told when it comes back, also by a broker that began anew")
    func away() throws {
        var broker = try broker(workers: 2)
        broker.decide(.unreachable(address(3, .worker)))
        broker.change(.remove, index: "items", number: 5)
        #expect(broker.indexesChanged?.away == ["v"])
        broker.decide(.tick, after: 1)
        for order in broker.removals(1) { broker.removed(order, by: 1, after: 1) }
        #expect(broker.core.status(at: moment(1)).removed.map(\.workers) == [["v"]])
        let state = try ClusterState(decoding: broker.core.state.encoded)
        var next = BrokerHarness(state: state)
        next.connect("v", 3, .worker, boot: 2)
        next.decide(.tick, after: 1)
        let order = try #require(next.removals(3).first)
        #expect(order.identity == 9)
        next.removed(order, by: 3, after: 1)
        #expect(next.core.state.names.removed.isEmpty)
    }

    @Test("An index made under the former name lives beside what a worker that is away still holds")
    func again() throws {
        var broker = try broker(workers: 2)
        broker.decide(.unreachable(address(3, .worker)))
        broker.change(.remove, index: "items", number: 5)
        broker.decide(.tick, after: 1)
        // w has still to remove it: nothing of that name goes there.
        broker.change(.create, index: "items", number: 6, after: 1)
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.retryAfterMs > 0 && refusal.code != 0)
        for order in broker.removals(1) { broker.removed(order, by: 1, after: 1) }
        broker.connect("x", 4, .worker)
        broker.change(.create, index: "items", number: 7, after: 2)
        let index = try #require(broker.core.state.index(named: "items"))
        #expect(Set(index.shards.flatMap(\.namedWorkers)) == [WorkerID("w"), WorkerID("x")])
        let newest = try #require(index.shards.map(\.epoch).min())
        broker.connect("v", 3, .worker, boot: 2)
        broker.decide(.tick, after: 3)
        let order = try #require(broker.removals(3).first)
        #expect(order.epoch < newest.value && order.identity == 9)
        #expect(!broker.verbs(3, .worker).suffix(3).contains(.putPart))
        // A belated answer of the other worker about the former index changes nothing.
        broker.removed(order, by: 1, after: 3)
        #expect(broker.core.state.index(named: "items") == index)
        broker.removed(order, by: 3, after: 3)
        #expect(broker.core.state.names.removed.isEmpty)
        #expect(broker.core.state.index(named: "items") == index)
    }

    @Test("Copies of shards do not go to a worker that still holds the former index")
    func placement() throws {
        var broker = BrokerHarness(shards: 1, replication: 2, expectedWorkers: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.change(.create, index: "items", number: 3) { $0.replication = 1 }
        broker.host(1, identity: 7)
        broker.decide(.unreachable(address(1, .worker)))
        broker.change(.remove, index: "items", number: 5)
        broker.connect("x", 4, .worker)
        broker.connect("y", 5, .worker)
        broker.change(.create, index: "items", number: 6)
        broker.decide(.unreachable(address(5, .worker)))
        broker.connect("w", 1, .worker, boot: 2)
        for second in 1...40 {
            broker.pong([1, 4], after: Double(second))
            broker.decide(.tick, after: Double(second))
        }
        let index = try #require(broker.core.state.index(named: "items"))
        #expect(!index.shards.flatMap(\.namedWorkers).contains(WorkerID("w")))
        #expect(broker.removals(1).count > 1, "it is told again and again")
    }

    @Test("Only the index that was looked at is removed, and none that an alias leads to")
    func refuses() throws {
        var broker = try broker()
        broker.change(.setAlias, index: "items", alias: "shop", number: 5)
        broker.change(.remove, index: "items", number: 6)
        #expect(broker.indexRefusal?.code == ErrorCode.indexInUse.number)
        broker.change(.remove, index: "shop", number: 7)
        #expect(broker.indexRefusal?.code == ErrorCode.invalidArgument.number)
        broker.change(.removeAlias, alias: "shop", number: 8)
        broker.change(.remove, index: "items", number: 9) { $0.identityHigh = 4 }
        #expect(broker.indexRefusal?.message.contains("another of its name") == true)
        broker.change(.remove, index: "item", number: 10)
        #expect(broker.indexRefusal?.message.contains("did you mean \"items\"") == true)
        #expect(broker.core.state.indexes.count == 1 && broker.removals(1).isEmpty)
    }

    @Test("Batches of an index that is removed fail, and their numbers are free again")
    func batches() throws {
        var broker = try broker()
        try broker.put(2, batch: 2)
        broker.change(.remove, index: "items", number: 5)
        #expect(broker.acks(2).last?.error.code == ErrorCode.unknownIndex.number)
        broker.decide(.tick, after: 1)
        for order in broker.removals(1) { broker.removed(order, by: 1, after: 1) }
        _ = broker.takeParts(1)
        try broker.put(2, batch: 1, ["other"], after: 2)
        broker.host(1, identity: 10, after: 2)
        for part in broker.takeParts(1) { broker.answer(part, from: 1, after: 2) }
        #expect(broker.acks(2).last?.hasError == false, "the number is not taken any more")
    }

    @Test("What a worker cannot remove is said, and it is told again")
    func failure() throws {
        var broker = try broker()
        broker.change(.remove, index: "items", number: 5)
        broker.decide(.tick, after: 1)
        let order = try #require(broker.removals(1).first)
        broker.removed(order, by: 1, failure: WireFailure(.storageFailed, "no"), after: 1)
        #expect(broker.logged.contains { $0.text.contains("cannot remove shard 0") })
        broker.change(.create, index: "items", number: 6, after: 2)
        #expect(broker.indexRefusal?.message.contains("(no)") == true)
        broker.decide(.tick, after: 8)
        #expect(broker.removals(1).count == 2)
    }
}
