import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// What is left of a removed index is still to be removed, and nothing that the broker forgot.
@Suite("What workers hold of removed indexes")
struct RemovedReplicaTests {
    private static let identity = IndexIdentity(high: 1, low: 1)

    /// A state with an index of one shard on worker w.
    private func state(isRemoved: Bool) -> ClusterState {
        var state = ClusterState(clusterID: 1)
        var index = IndexState(
            name: "items", identity: Self.identity, shardCount: 1,
            shards: [ShardState(on: [WorkerID("w")])], defaultExpirationSeconds: nil)
        index.shards[0].recognize(ReplicaIdentity(7), on: WorkerID("w"))
        state.change(index)
        if isRemoved { state.remove(index) }
        return state
    }

    private func found(
        _ index: String = "items", of identity: IndexIdentity = Self.identity
    ) -> WireFoundReplica {
        var found = WireFoundReplica()
        found.index = index
        found.shardCount = 1
        found.identity = 7
        found.indexIdentityHigh = identity.high
        found.indexIdentityLow = identity.low
        found.lastSequence = 5
        return found
    }

    private func tell(
        _ found: WireFoundReplica, _ number: UInt8 = 1, to broker: inout BrokerHarness
    ) {
        for message in WireHosted.messages(found: [found]) {
            broker.receive(.hosted(message), from: address(number, .worker))
        }
    }

    @Test("It makes no answer incomplete, and when it is gone its name is free")
    func explained() throws {
        var broker = BrokerHarness(shards: 1, state: state(isRemoved: true))
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        tell(found(), to: &broker)
        #expect(broker.core.unknownReplicas.isEmpty)
        broker.change(.create, index: "items", number: 5)
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.message.contains("still removes the former index"), "\(refusal.message)")
        broker.decide(.tick, after: 1)
        let order = try #require(broker.removals(1).first)
        #expect(order.identity == 7 && order.indexIdentityLow == Self.identity.low)
        broker.removed(order, by: 1, after: 1)
        #expect(broker.core.state.names.removed.isEmpty)
        #expect(broker.core.unknownReplicas.isEmpty, "what it told before counts no more")
        broker.change(.create, index: "items", number: 6, after: 2)
        #expect(broker.core.state.index(named: "items") != nil)
    }

    @Test("What left a shard and was removed is forgotten, also when its index goes")
    func moved() throws {
        var known = state(isRemoved: false)
        var index = try #require(known.index(named: "items"))
        index.shards[0].assign(WorkerID("v"))
        let hasLeft = index.shards[0].remove(WorkerID("v"))
        #expect(hasLeft)
        known.change(index)
        var broker = BrokerHarness(shards: 1, state: known)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.connect("v", 3, .worker)
        tell(found(), 3, to: &broker)
        broker.decide(.tick, after: 1)
        let order = try #require(broker.removals(3).first)
        broker.removed(order, by: 3, after: 1)
        broker.change(.remove, index: "items", number: 5, after: 2)
        #expect(broker.core.state.index(named: "items") == nil)
        #expect(broker.core.unknownReplicas.isEmpty)
    }

    @Test("What left a shard before its index was removed is removed as what it is")
    func leftBefore() throws {
        var known = state(isRemoved: false)
        var index = try #require(known.index(named: "items"))
        index.shards[0].assign(WorkerID("v"))
        index.shards[0].recognize(ReplicaIdentity(8), on: WorkerID("v"))
        let hasLeft = index.shards[0].remove(WorkerID("v"))
        #expect(hasLeft)
        known.change(index)
        // A broker that starts reads it.
        known = try ClusterState(decoding: known.encoded)
        known.remove(try #require(known.index(named: "items")))
        var broker = BrokerHarness(shards: 1, state: known)
        broker.connect("v", 3, .worker)
        broker.decide(.tick, after: 1)
        let order = try #require(broker.removals(3).first)
        var there = DropTarget.Found()
        there.index = Self.identity
        there.replica = ReplicaIdentity(8)
        #expect(DropTarget(order).verdict(on: there) == .remove)
        there.replica = ReplicaIdentity(9)
        #expect(DropTarget(order).verdict(on: there) == .setAside, "it is another one")
    }

    @Test("A directory of another index of that name is none of it")
    func otherIndex() throws {
        var broker = BrokerHarness(shards: 1, state: state(isRemoved: true))
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        tell(found(of: IndexIdentity(high: 1, low: 9)), to: &broker)
        #expect(broker.core.unknownReplicas.map(\.reason) == [.unknownIndex])
        #expect(broker.core.state.names.removed.isEmpty, "a place holds one directory")
        let status = broker.core.status(at: moment())
        #expect(status.removed.isEmpty && status.unknownReplicas.count == 1)
    }

    @Test("A directory that names no index may be of the removed one")
    func unnamed() throws {
        var broker = BrokerHarness(shards: 1, state: state(isRemoved: true))
        broker.connect("w", 1, .worker)
        // One that an earlier program made says nothing.
        tell(found(of: .unknown), to: &broker)
        #expect(broker.core.unknownReplicas.isEmpty)
        #expect(broker.core.state.names.removed.count == 1)
    }

    @Test("An index of a removed one's name is taken over, and nothing is left to be removed")
    func takenOver() throws {
        let other = IndexIdentity(high: 1, low: 9)
        var broker = BrokerHarness(
            shards: 1, state: state(isRemoved: true), adoptsUnknown: true)
        broker.connect("w", 1, .worker)
        tell(found(of: other), to: &broker)
        for second in 1...60 {
            broker.pong([1], after: Double(second))
            broker.decide(.tick, after: Double(second))
        }
        let index = try #require(broker.core.state.index(named: "items"))
        #expect(index.identity == other)
        #expect(broker.core.state.names.removed.isEmpty)
        #expect(broker.removals(1).allSatisfy { $0.indexIdentityLow == Self.identity.low })
        broker.host(1, identity: 7, lastSequence: 5, after: 60)
        let count = broker.removals(1).count
        broker.decide(.tick, after: 90)
        #expect(broker.removals(1).count == count, "nobody is told to remove anything any more")
        #expect(broker.core.state.names.holders(of: "items").isEmpty)
    }

    @Test("What a worker says of another order is not taken for the removal")
    func otherOrder() throws {
        var broker = BrokerHarness(shards: 1, state: state(isRemoved: true))
        broker.connect("w", 1, .worker)
        broker.decide(.tick, after: 1)
        var order = try #require(broker.removals(1).first)
        let epoch = order.epoch
        for (other, isRemoval) in [(epoch + 1, false), (epoch, true)] {
            order.epoch = other
            broker.removed(order, by: 1, failure: WireFailure(.storageFailed, "no"), after: 1)
            let isSaid = broker.logged.contains { $0.text.contains("of the removed index") }
            #expect(isSaid == isRemoval)
        }
    }

    @Test("It is not taken over", arguments: [true, false])
    func adoption(isRemoved: Bool) {
        let former = isRemoved ? state(isRemoved: true) : ClusterState(clusterID: 1)
        var broker = BrokerHarness(shards: 1, state: former, adoptsUnknown: true)
        broker.connect("w", 1, .worker)
        tell(found(), to: &broker)
        for second in [4.0, 8, 11, 12] {
            broker.pong([1], after: second)
            broker.decide(.tick, after: second)
        }
        #expect(broker.core.state.indexes.isEmpty == isRemoved)
    }

    /// What a worker tells that holds nothing and remembers a removal.
    private func remember(
        _ identity: IndexIdentity, _ number: UInt8, to broker: inout BrokerHarness
    ) {
        var mark = WireRemovedMark()
        mark.index = "items"
        (mark.identityHigh, mark.identityLow) = (identity.high, identity.low)
        for message in WireHosted.messages(found: [], removed: [mark]) {
            broker.receive(.hosted(message), from: address(number, .worker))
        }
    }

    @Test("An older state does not bring an index back in silence that a worker knows is removed")
    func revived() throws {
        var broker = BrokerHarness(shards: 1, state: state(isRemoved: false))
        broker.connect("w", 1, .worker)
        broker.connect("v", 3, .worker)
        broker.connect("c", 2)
        broker.host(1, identity: 7, lastSequence: 5)
        remember(IndexIdentity(high: 1, low: 9), 3, to: &broker)
        #expect(broker.core.unknownReplicas.isEmpty, "another one of that name was")
        remember(Self.identity, 3, to: &broker)
        let replica = try #require(broker.core.unknownReplicas.first)
        #expect(replica.reason == .removedSince && replica.worker == WorkerID("v"))
        #expect(replica.text.contains("fresnel indexes remove items"), "\(replica.text)")
        let shard = try #require(broker.core.presentShards(of: []).first)
        #expect(shard.doubt == replica.text, "it is searched, and is not all there is")
        #expect(broker.core.status(at: moment()).unknownReplicas.count == 1)
        try broker.put(2, batch: 1)
        #expect(broker.indexRefusal?.code == ErrorCode.unknownIndex.number)
        #expect(broker.indexRefusal?.message == replica.text)
        broker.change(.remove, index: "items", number: 5)
        #expect(broker.core.state.indexes.isEmpty && broker.core.unknownReplicas.isEmpty)
    }

    @Test("What a worker knows to be removed is not taken over from another one")
    func notTakenOver() {
        var broker = BrokerHarness(
            shards: 1, state: ClusterState(clusterID: 1), adoptsUnknown: true)
        broker.connect("w", 1, .worker)
        broker.connect("v", 3, .worker)
        remember(Self.identity, 3, to: &broker)
        tell(found(), to: &broker)
        for second in [4.0, 8, 11, 12] {
            broker.pong([1, 3], after: second)
            broker.decide(.tick, after: second)
        }
        #expect(broker.core.state.indexes.isEmpty)
        #expect(broker.logged.contains { $0.text.contains("was removed, says worker v") })
    }

    @Test("What a worker told that has gone since is not taken over: it may be moved away by now")
    func gone() {
        var broker = BrokerHarness(
            shards: 1, state: ClusterState(clusterID: 1), adoptsUnknown: true)
        broker.connect("w", 1, .worker)
        tell(found(), to: &broker)
        broker.decide(.tick, after: 5)
        broker.decide(.unreachable(address(1, .worker)))
        for second in [11.0, 12] { broker.decide(.tick, after: second) }
        #expect(broker.core.state.indexes.isEmpty)
    }

    @Test("Neither alias nor removal passes over an index that only workers know")
    func heldUnknown() throws {
        var broker = BrokerHarness(shards: 1, state: state(isRemoved: false))
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        tell(found("notes"), to: &broker)
        broker.change(.setAlias, index: "items", alias: "notes", number: 5)
        #expect(broker.indexRefusal?.code == ErrorCode.indexExists.number)
        #expect(broker.core.state.names.aliases.isEmpty)
        broker.change(.remove, index: "notes", number: 6)
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.code == ErrorCode.unknownIndex.number)
        #expect(refusal.message.contains("--adopt"), "\(refusal.message)")
    }
}
