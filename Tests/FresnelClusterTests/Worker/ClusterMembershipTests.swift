import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Of which cluster a worker is")
struct ClusterMembershipTests {
    private static let shard = "items"

    private func worker(_ membership: ClusterMembership) -> WorkerCore {
        WorkerCore(
            name: WorkerID("w"), bootID: 1, software: "test", membership: membership, at: start)
    }

    private func receive(_ command: Command, _ core: inout WorkerCore) -> [WorkerEffect] {
        let message = Message(Envelope(), command)
        return core.decide(.received(message, lane: message.lane), at: start)
    }

    /// WELCOME and JOINED of a broker of a cluster.
    private func open(_ core: inout WorkerCore, cluster: UInt64) -> [WorkerEffect] {
        var welcome = WireWelcome()
        welcome.incarnation = cluster + 1
        welcome.sessionToken = cluster + 5
        welcome.cluster = cluster
        return receive(.welcome(welcome), &core) + receive(.joined, &core)
    }

    private func joined(_ effects: [WorkerEffect]) -> UInt64? {
        effects.lazy.compactMap { if case .join(let cluster) = $0 { cluster } else { nil } }.first
    }

    private func isSurveyed(_ effects: [WorkerEffect]) -> Bool {
        effects.contains { if case .survey = $0 { true } else { false } }
    }

    /// Everything that a broker may order, and none of which a stranger's may.
    private static var orders: [Command] {
        var index = WireIndexAssignment()
        index.index = shard
        index.shards = [0]
        index.shardCount = 1
        var assign = WireAssign()
        assign.indexes = [index]
        var drop = WireDropReplica()
        drop.index = shard
        drop.epoch = 9
        var part = WirePutPart()
        part.index = shard
        var catchUp = WireCatchUp()
        catchUp.index = shard
        var offer = WireOfferReplica()
        offer.index = shard
        var store = WireStoreShard()
        store.index = shard
        var check = WireCheckReplica()
        check.index = shard
        return [
            .assign(assign), .dropReplica(drop), .putPart(part), .catchUp(catchUp),
            .offerReplica(offer), .storeShard(store), .checkReplica(check),
            .subquery(WireSubquery()), .statistics(WireSubquery()),
        ]
    }

    @Test(
        "A worker with replicas does nothing for a broker of another cluster, but tells it of them")
    func stranger() {
        var core = worker(ClusterMembership(cluster: 7, holdsReplicas: true))
        let effects = open(&core, cluster: 8)
        #expect(joined(effects) == nil && isSurveyed(effects))
        let told = effects.compactMap { effect in
            if case .log(.error, let text) = effect { text } else { nil }
        }
        #expect(told.count == 1 && told.first?.contains("--adopt") == true, "\(told)")
        for order in Self.orders {
            #expect(receive(order, &core).isEmpty, "\(order.verb)")
        }
        #expect(core.counters.strangersOrders == UInt64(Self.orders.count))
        // It stays in touch, so that the broker knows that it is there.
        #expect(!receive(.ping(WirePulse()), &core).isEmpty)
        // Its own broker is obeyed at once when it comes back.
        let own = open(&core, cluster: 7)
        #expect(!isSurveyed(own))
        #expect(!receive(Self.orders[0], &core).isEmpty)
    }

    @Test(
        "A worker keeps the cluster of the first broker; one that holds nothing goes to any",
        arguments: [
            (0, true, 8, 8), (0, false, 8, 8), (7, false, 8, 8), (7, true, 7, nil),
            (7, true, 0, nil),
        ] as [(UInt64, Bool, UInt64, UInt64?)])
    func joins(own: UInt64, holds: Bool, broker: UInt64, kept: UInt64?) {
        var core = worker(ClusterMembership(cluster: own, holdsReplicas: holds))
        let effects = open(&core, cluster: broker)
        #expect(joined(effects) == kept && !isSurveyed(effects))
        #expect(!receive(Self.orders[0], &core).isEmpty)
    }

    @Test("The first replica binds a worker to its cluster, and HELLO says so")
    func binds() {
        var core = worker(ClusterMembership())
        _ = open(&core, cluster: 7)
        #expect(core.session.hello.cluster == 7 && !core.session.hello.holdsReplicas)
        var inventory = WireShardInventory()
        inventory.index = "items"
        inventory.identity = 5
        _ = core.decide(.hosted([inventory], failures: []), at: start)
        #expect(core.session.hello.holdsReplicas)
        #expect(isSurveyed(open(&core, cluster: 8)))
        // Its own broker's word removed the last one.
        _ = open(&core, cluster: 7)
        _ = core.decide(.emptied, at: start)
        #expect(!core.session.hello.holdsReplicas)
        #expect(joined(open(&core, cluster: 8)) == 8)
    }
}
