import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// A name is that of one index or of one alias, whoever else is about to take it.
@Suite("Names that are free")
struct FreeNameTests {
    private func refusal(_ broker: BrokerHarness, _ number: UInt64) -> WireFailure? {
        let answer = broker.messages(to: address(2)).last { $0.envelope.id == request(number).id }
        switch answer?.command {
        case .error(let failure), .busy(let failure): return failure
        default: return nil
        }
    }

    private func restore(
        _ broker: inout BrokerHarness, as name: String, number: UInt64 = 51
    ) {
        var order = WireSnapshot()
        order.index = name
        order.store.location = "/store"
        order.source.name = "items"
        order.source.shardCount = 1
        order.source.replication = 1
        order.source.sequence = 41
        order.source.shards = [WireSnapshotShard()]
        order.source.shards[0].sequence = 41
        broker.receive(.snapshot(order), request(number), from: address(2))
    }

    /// The worker has made its part, or could not.
    private func finish(
        _ broker: inout BrokerHarness, _ phase: WireStorePhase, after seconds: Double = 0
    ) throws {
        let messages = broker.messages(to: address(1, .worker))
        let orders: [WireStoreShard] = messages.compactMap {
            if case .storeShard(let order) = $0.command { order } else { nil }
        }
        let order = try #require(orders.last { $0.work == .load })
        var report = WireStoredShard()
        report.index = order.index
        report.shard = order.shard
        report.ticket = order.ticket
        report.phase = phase
        report.identity = 77
        report.failure = WireFailure(.diskFull, "full")
        broker.receive(.storedShard(report), from: address(1, .worker), after: seconds)
    }

    private func found(_ name: String) -> WireFoundReplica {
        var found = WireFoundReplica()
        found.index = name
        found.shardCount = 1
        found.identity = 7
        found.lastSequence = 5
        return found
    }

    private func connectHolder(_ broker: inout BrokerHarness, of name: String, tells: Bool) {
        var hello = hello("v", .worker)
        hello.cluster = 1
        hello.holdsReplicas = true
        broker.receive(.hello(hello), from: address(3, .worker))
        broker.join(3, .worker)
        guard tells else { return }
        tell(&broker, [found(name)])
    }

    private func tell(_ broker: inout BrokerHarness, _ found: [WireFoundReplica]) {
        for message in WireHosted.messages(found: found) {
            broker.receive(.hosted(message), from: address(3, .worker))
        }
    }

    @Test("Nobody else takes the name of a restore that is under way, until that failed")
    func restoring() throws {
        var broker = try BrokerHarness.serving()
        restore(&broker, as: "shop")
        broker.change(.create, index: "shop", number: 60)
        broker.change(.setAlias, index: "items", alias: "shop", number: 61)
        for number in [60, 61] as [UInt64] {
            let refusal = try #require(self.refusal(broker, number), "\(number)")
            #expect(refusal.code == ErrorCode.busy.number && refusal.retryAfterMs > 0)
            #expect(refusal.message.contains("is being restored"), "\(refusal.message)")
        }
        #expect(broker.core.state.indexes.map(\.name) == ["items"])
        #expect(broker.core.state.names.aliases.isEmpty)
        try finish(&broker, .failed)
        broker.change(.setAlias, index: "items", alias: "shop", number: 61)
        #expect(broker.core.state.names.index(of: "shop") == "items")
    }

    @Test("What has a name when a restore of it is done stays, and the restore fails")
    func taken() throws {
        var broker = try BrokerHarness.serving()
        restore(&broker, as: "shop")
        let other = IndexState(
            name: "shop", identity: IndexIdentity(high: 8, low: 8), shardCount: 1,
            shards: [ShardState(on: [WorkerID("w")], epoch: Epoch(1))],
            defaultExpirationSeconds: nil)
        broker.core.state.change(other)
        try finish(&broker, .done)
        #expect(refusal(broker, 51)?.code == ErrorCode.indexExists.number)
        #expect(broker.core.state.index(named: "shop")?.identity == other.identity)
    }

    @Test("A worker that comes with unknown shards of a name ends the restore of that name")
    func unknown() throws {
        var broker = try BrokerHarness.serving()
        restore(&broker, as: "shop")
        connectHolder(&broker, of: "shop", tells: false)
        try finish(&broker, .done)
        #expect(refusal(broker, 51) == nil, "it may hold something else")
        #expect(broker.core.state.index(named: "shop") == nil)
        tell(&broker, [found("shop")])
        broker.decide(.tick, after: 1)
        let refusal = try #require(self.refusal(broker, 51))
        #expect(refusal.code == ErrorCode.indexExists.number)
        #expect(refusal.message.contains("--adopt"), "\(refusal.message)")
        #expect(broker.core.state.index(named: "shop") == nil)
    }

    @Test("A restore is made when a worker that came meanwhile holds nothing of its name")
    func unrelated() throws {
        var broker = try BrokerHarness.serving()
        restore(&broker, as: "shop")
        connectHolder(&broker, of: "shop", tells: false)
        try finish(&broker, .done)
        tell(&broker, [found("old")])
        broker.decide(.tick, after: 1)
        #expect(broker.core.state.index(named: "shop") != nil && refusal(broker, 51) == nil)
    }

    @Test("What workers hold is not taken over under an alias, nor while its name is restored")
    func adoption() throws {
        var broker = BrokerHarness(shards: 1, adoptsUnknown: true)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1)
        broker.change(.setAlias, index: "items", alias: "store", number: 60)
        restore(&broker, as: "shop")
        connectHolder(&broker, of: "shop", tells: false)
        tell(&broker, [found("shop"), found("store")])
        broker.decide(.tick)
        broker.decide(.tick, after: 11)
        #expect(broker.core.state.indexes.map(\.name) == ["items"])
        let said = broker.logged.filter { $0.text.contains("cannot be taken over") }.map(\.text)
        #expect(said.count == 1, "\(said)")
        #expect(said.allSatisfy { $0.contains("alias of index items") }, "\(said)")
        try finish(&broker, .done, after: 11)
        #expect(refusal(broker, 51)?.code == ErrorCode.indexExists.number)
        broker.decide(.tick, after: 11.5)
        #expect(broker.core.state.index(named: "shop")?.shardCount == 1)
    }

    @Test("No alias leads to an index that is not on the broker's disk, which may go again")
    func unwritten() throws {
        var broker = try BrokerHarness.serving()
        broker.change(.setAlias, index: "items", alias: "shop", number: 60)
        broker.writesAtOnce = false
        broker.change(.create, index: "new", number: 61)
        broker.change(.setAlias, index: "new", alias: "shop", number: 62)
        let waiting = try #require(self.refusal(broker, 62))
        #expect(waiting.code == ErrorCode.busy.number && waiting.retryAfterMs > 0)
        #expect(waiting.message.contains("not on the broker's disk yet"), "\(waiting.message)")
        for second in stride(from: 0, to: 4, by: 0.5) {
            broker.refuseToWrite(after: second)
            broker.decide(.tick, after: second)
        }
        #expect(broker.core.state.index(named: "new") == nil)
        #expect(broker.core.state.names.index(of: "shop") == "items")
        broker.change(.setAlias, index: "new", alias: "shop", number: 63, after: 4)
        #expect(refusal(broker, 63)?.code == ErrorCode.unknownIndex.number)
    }

    @Test("An alias may lead to an index as soon as that is written")
    func written() {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.writesAtOnce = false
        broker.change(.create, index: "new", number: 61)
        broker.write()
        broker.change(.setAlias, index: "new", alias: "shop", number: 62)
        #expect(broker.core.state.names.index(of: "shop") == "new")
    }
}
