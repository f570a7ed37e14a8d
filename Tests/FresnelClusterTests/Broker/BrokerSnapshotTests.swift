import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Snapshots at the broker")
struct BrokerSnapshotTests {
    private static let worker = address(1, .worker)
    private static let client = address(2)

    /// The orders about stores that the worker was sent, oldest first.
    private func orders(_ broker: BrokerHarness, _ work: WireStoreWork) -> [WireStoreShard] {
        broker.messages(to: Self.worker).compactMap { message in
            guard case .storeShard(let order) = message.command, order.work == work else {
                return nil
            }
            return order
        }
    }

    private func report(
        _ order: WireStoreShard, _ phase: WireStorePhase, sequence: UInt64 = 1,
        identity: UInt64 = 0
    ) -> WireStoredShard {
        var report = WireStoredShard()
        report.index = order.index
        report.shard = order.shard
        report.ticket = order.ticket
        report.phase = phase
        report.result.shard = order.shard
        report.result.sequence = sequence
        report.bytesSent = 10
        report.identity = identity
        return report
    }

    private func snapshot(_ index: String = "items") -> WireSnapshot {
        var order = WireSnapshot()
        order.index = index
        order.store.location = "/store"
        return order
    }

    private func restore(_ index: String) -> WireSnapshot {
        var order = snapshot(index)
        order.source.name = "items"
        order.source.shardCount = 1
        order.source.replication = 1
        order.source.sequence = 41
        order.source.clientStateBytes = [7]
        order.source.shards = [WireSnapshotShard()]
        order.source.shards[0].sequence = 41
        return order
    }

    private func answer(_ broker: BrokerHarness, _ number: UInt64) -> Command? {
        broker.messages(to: Self.client).last { $0.envelope.id == request(number).id }?.command
    }

    private func code(_ broker: BrokerHarness, _ number: UInt64) -> Int32? {
        switch answer(broker, number) {
        case .error(let failure), .busy(let failure): failure.code
        default: nil
        }
    }

    @Test("X-2: batches under way end first, new ones wait until every shard is captured")
    func hold() throws {
        var broker = try BrokerHarness.serving()
        try broker.put(2, batch: 2)
        let parts = broker.takeParts(1)
        broker.receive(.snapshot(snapshot()), request(50), from: Self.client)
        #expect(orders(broker, .save).isEmpty)
        try broker.put(2, batch: 3)
        #expect(broker.takeParts(1).isEmpty)
        for part in parts { broker.answer(part, from: 1) }
        broker.decide(.tick, after: 0.1)
        let order = try #require(orders(broker, .save).first)
        try broker.put(2, batch: 3)
        #expect(broker.takeParts(1).isEmpty)
        broker.receive(.storedShard(report(order, .captured)), from: Self.worker)
        try broker.put(2, batch: 3)
        #expect(broker.takeParts(1).count == 1)
        let last = try #require(parts.last?.envelope.sequence)
        broker.receive(.storedShard(report(order, .done, sequence: last)), from: Self.worker)
        guard case .snapshotDone(let done)? = answer(broker, 50) else {
            Issue.record("no SNAPSHOT_DONE: \(String(describing: answer(broker, 50)))")
            return
        }
        #expect(done.index.sequence == last && done.index.shards.count == 1)
        #expect(done.bytesSent == 10)
    }

    @Test("X-2: a batch that does not end in time ends the snapshot, and batches go on")
    func late() throws {
        var broker = try BrokerHarness.serving()
        try broker.put(2, batch: 2)
        let parts = broker.takeParts(1)
        broker.receive(.snapshot(snapshot()), request(50), from: Self.client)
        broker.decide(.tick, after: 2.1)
        #expect(code(broker, 50) == ErrorCode.busy.number)
        for part in parts { broker.answer(part, from: 1) }
        try broker.put(2, batch: 3)
        #expect(broker.takeParts(1).count == 1)
    }

    @Test("X-3: a copy that lacks what was acknowledged is refused")
    func short() throws {
        var broker = try BrokerHarness.serving()
        broker.receive(.snapshot(snapshot()), request(50), from: Self.client)
        let order = try #require(orders(broker, .save).first)
        broker.receive(.storedShard(report(order, .done, sequence: 0)), from: Self.worker)
        #expect(code(broker, 50) == ErrorCode.internalError.number)
    }

    @Test("X-8: the loss of a worker, and its failure, end the whole and withdraw the rest")
    func losses() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        broker.receive(.snapshot(snapshot()), request(50), from: Self.client)
        let order = try #require(orders(broker, .save).first)
        var failed = report(order, .failed)
        failed.failure = WireFailure(.diskFull, "full")
        broker.receive(.storedShard(failed), from: Self.worker)
        #expect(code(broker, 50) == ErrorCode.diskFull.number)
        #expect(orders(broker, .discard).count == 2)
        broker.receive(.snapshot(snapshot()), request(51), from: Self.client)
        broker.receive(.goodbye, from: Self.worker)
        #expect(code(broker, 51) == ErrorCode.shardUnavailable.number)
    }

    @Test("X-8, X-10: a restore ends with a worker that had done its part, which hears of nothing")
    func lostLoader() throws {
        var broker = try BrokerHarness.serving()
        broker.connect("v", 3, .worker)
        var order = restore("again")
        order.source.shardCount = 2
        order.source.shards.append(order.source.shards[0])
        order.source.shards[1].shard = 1
        broker.receive(.snapshot(order), request(51), from: Self.client)
        let load = try #require(orders(broker, .load).first)
        broker.receive(.storedShard(report(load, .done, identity: 77)), from: Self.worker)
        #expect(answer(broker, 51) == nil)
        broker.receive(.goodbye, from: Self.worker)
        #expect(code(broker, 51) == ErrorCode.shardUnavailable.number)
        #expect(broker.core.state.index(named: "again") == nil)
        broker.connect("w", 4, .worker, boot: 2)
        for (number, indexes) in [(3, []), (4, ["items"])] as [(UInt8, [String])] {
            let assigns = broker.messages(to: address(number, .worker)).compactMap { message in
                if case .assign(let assign) = message.command { assign } else { nil }
            }
            #expect(assigns.count == 1, "told once, be it that there is nothing")
            #expect(assigns.first?.indexes.map(\.index) == indexes)
        }
    }

    @Test("X-6: a restore, as a new index, is placed on no worker that is drained")
    func drained() throws {
        var state = ClusterState(clusterID: 1)
        state.drain([WorkerID("w")])
        var broker = BrokerHarness(shards: 2, expectedWorkers: 2, state: state)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.receive(.snapshot(restore("again")), request(50), from: Self.client)
        #expect(code(broker, 50) == ErrorCode.noWorkers.number, "nobody is left")
        broker.connect("v", 3, .worker)
        var order = restore("again")
        order.source.shardCount = 2
        order.source.shards.append(order.source.shards[0])
        order.source.shards[1].shard = 1
        broker.receive(.snapshot(order), request(51), from: Self.client)
        #expect(orders(broker, .load).isEmpty)
        #expect(broker.verbs(3, .worker).filter { $0 == .storeShard }.count == 2)
        try broker.put(2, batch: 1)
        let shards = try #require(broker.core.state.index(named: "items")).shards
        #expect(shards.flatMap(\.namedWorkers) == [WorkerID("v"), WorkerID("v")])
    }

    @Test("X-6: a restore waits for workers that are expected at first, then says who is missing")
    func missingWorkers() throws {
        var broker = BrokerHarness(shards: 1, expectedWorkers: 2)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.receive(.snapshot(restore("again")), request(50), from: Self.client)
        guard case .busy? = answer(broker, 50) else {
            Issue.record("\(String(describing: answer(broker, 50)))")
            return
        }
        broker.receive(.snapshot(restore("again")), request(51), from: Self.client, after: 11)
        guard case .error(let failure)? = answer(broker, 51) else {
            Issue.record("\(String(describing: answer(broker, 51)))")
            return
        }
        #expect(failure.code == ErrorCode.noWorkers.number)
        #expect(failure.message.contains("1 of 2 workers"))
    }

    @Test("X-6, X-7: an index is made when every shard is, of the replicas that were made")
    func restoring() throws {
        var broker = try BrokerHarness.serving()
        broker.receive(.snapshot(restore("items")), request(50), from: Self.client)
        #expect(code(broker, 50) == ErrorCode.indexExists.number)
        broker.receive(.snapshot(restore("again")), request(51), from: Self.client)
        let order = try #require(orders(broker, .load).first)
        #expect(broker.core.state.index(named: "again") == nil)
        broker.receive(
            .storedShard(report(order, .done, identity: 77)), from: Self.worker)
        let index = try #require(broker.core.state.index(named: "again"))
        #expect(index.shards[0].first?.identity == ReplicaIdentity(77))
        #expect(index.clientState == [7] && index.sequenceLease == SequenceNumber(42))
        #expect(answer(broker, 51) == nil)
        let assigns = broker.messages(to: Self.worker).compactMap { message in
            if case .assign(let assign) = message.command { assign } else { nil }
        }
        let assigned = assigns.last?.indexes.first { $0.index == "again" }
        #expect(assigned?.identities == [77])
        var hosted = WireHosted()
        var inventory = WireShardInventory()
        inventory.index = "again"
        inventory.lastSequence = 41
        inventory.identity = 77
        hosted.shards = [inventory]
        broker.receive(.hosted(hosted), from: Self.worker)
        broker.decide(.tick, after: 0.1)
        guard case .snapshotDone? = answer(broker, 51) else {
            Issue.record("no SNAPSHOT_DONE: \(String(describing: answer(broker, 51)))")
            return
        }
        // The same request, sent again because its answer was lost.
        broker.receive(.snapshot(restore("again")), request(51, attempt: 1), from: Self.client)
        guard case .snapshotDone? = answer(broker, 51) else {
            Issue.record("refused: \(String(describing: answer(broker, 51)))")
            return
        }
        #expect(code(broker, 51) == nil)
    }

    @Test("X-11: a restore ends when a worker stays away whose shard is made, and the index stays")
    func stranded() throws {
        var broker = try BrokerHarness.serving()
        broker.receive(.snapshot(restore("again")), request(51), from: Self.client)
        let order = try #require(orders(broker, .load).first)
        broker.receive(.storedShard(report(order, .done, identity: 77)), from: Self.worker)
        broker.receive(.goodbye, from: Self.worker)
        broker.decide(.tick, after: 1)
        broker.decide(.tick, after: 6)
        #expect(answer(broker, 51) == nil, "a process that starts again is waited for")
        broker.decide(.tick, after: 12)
        guard case .error(let failure)? = answer(broker, 51) else {
            Issue.record("\(String(describing: answer(broker, 51)))")
            return
        }
        #expect(failure.code == ErrorCode.shardUnavailable.number)
        #expect(failure.message.contains("restored and durable") && failure.message.contains("w"))
        #expect(broker.core.state.index(named: "again") != nil)
        #expect(orders(broker, .discard).isEmpty)
    }

    @Test("X-6: a list of shards that makes no sense is refused, and nothing is made")
    func nonsense() throws {
        var broker = try BrokerHarness.serving()
        var orders = [restore("a"), restore("b"), restore("c"), restore("D"), restore("e")]
        orders[0].source.shards = []
        orders[1].source.shardCount = 0
        orders[2].source.shards[0].sequence = .max
        orders[4].source.shardCount = .max
        for (number, order) in orders.enumerated() {
            broker.receive(.snapshot(order), request(60 + UInt64(number)), from: Self.client)
            #expect(
                code(broker, 60 + UInt64(number)) == ErrorCode.invalidArgument.number, "\(number)")
        }
        #expect(self.orders(broker, .load).isEmpty)
        #expect(broker.core.state.indexes.map(\.name) == ["items"])
    }
}
