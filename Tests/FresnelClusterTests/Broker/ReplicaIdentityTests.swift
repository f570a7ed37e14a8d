import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Identities of replicas")
struct ReplicaIdentityTests {
    /// A broker that knows the replica 7 of the only shard, with five documents in it.
    private func broker() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1, identity: 7)
        for part in broker.takeParts(1) { broker.answer(part, from: 1, documents: 5) }
        #expect(broker.acks(2).count == 1)
        return broker
    }

    private func known(_ broker: BrokerHarness) -> ReplicaIdentity? {
        broker.core.state.index(named: "items")?.shards.first?.first?.identity
    }

    private func state(_ broker: BrokerHarness) -> String? {
        broker.core.status(at: moment()).indexes.first?.shards.first?.state
    }

    /// The completion of a query that is asked now, when it ends at once.
    private func ask(_ broker: inout BrokerHarness, _ number: UInt64) -> WireDone? {
        broker.receive(.query(search()), request(number), from: address(2))
        for message in broker.messages(to: address(2, .client, .data)).reversed() {
            if case .done(let done) = message.command, message.envelope.id == request(number).id {
                return done
            }
        }
        return nil
    }

    @Test("The first HOSTED makes a replica the known one, and nothing is sent before that lasts")
    func recording() throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.writesAtOnce = false
        broker.host(1, identity: 7)
        #expect(known(broker) == ReplicaIdentity(7))
        #expect(broker.takeParts(1).isEmpty && state(broker) == "opening")
        broker.refuseToWrite()
        broker.host(1, identity: 7)
        #expect(broker.takeParts(1).isEmpty)
        broker.decide(.tick, after: 1)
        broker.write()
        #expect(broker.takeParts(1).count == 1 && state(broker) == "whole")
    }

    @Test("A replica of another identity is not opened: answers stay incomplete, writes wait")
    func foreign() throws {
        var broker = try broker()
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 8)
        #expect(known(broker) == ReplicaIdentity(7) && state(broker) == "refused")
        let done = try #require(ask(&broker, 9))
        #expect(!done.complete && done.shards.map(\.status) == [.unreachable])
        try broker.put(2, batch: 2)
        #expect(broker.takeParts(3).isEmpty)
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 7, lastSequence: 1)
        #expect(broker.takeParts(4).count == 1 && state(broker) == "whole")
    }

    @Test("A replica without identity does not pass for a known one either")
    func unidentified() throws {
        var broker = try broker()
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 0)
        #expect(state(broker) == "refused")
        broker.host(3, identity: 0, replacesLost: true)
        #expect(state(broker) == "refused" && known(broker) == ReplicaIdentity(7))
    }

    @Test("Operator and worker are told once a session, and what to do")
    func telling() throws {
        var broker = try broker()
        broker.connect("w", 3, .worker, boot: 2)
        for _ in 0..<3 { broker.host(3, identity: 8) }
        let errors = broker.logged.filter { $0.level == .error }
        #expect(errors.count == 1)
        #expect(errors.allSatisfy { $0.text.contains("--replace-lost") })
        #expect(broker.verbs(3, .worker).filter { $0 == .error }.count == 1)
    }

    @Test("A late or doubled HOSTED of the same directory changes nothing")
    func doubled() throws {
        var broker = try broker()
        let version = broker.core.state.version
        for _ in 0..<3 { broker.host(1, identity: 7) }
        #expect(broker.core.state.version == version && state(broker) == "whole")
        #expect(broker.logged.allSatisfy { $0.level != .error })
    }

    @Test("The operator's word lets a new replica take the place of a lost one, for good")
    func replacing() throws {
        var broker = try broker()
        broker.decide(.unreachable(address(1, .worker)))
        broker.connect("w", 3, .worker, boot: 2)
        broker.writesAtOnce = false
        broker.host(3, identity: 8, replacesLost: true)
        #expect(state(broker) == "opening", "nothing is opened before it is durable")
        broker.write()
        broker.writesAtOnce = true
        #expect(state(broker) == "whole" && known(broker) == ReplicaIdentity(8))
        #expect(broker.logged.contains { $0.level == .warning && $0.text.contains("given up") })
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 7, lastSequence: 1)
        #expect(state(broker) == "refused", "the lost one is never opened again")
        broker.connect("w", 5, .worker, boot: 4)
        broker.host(5, identity: 8)
        #expect(state(broker) == "whole")
    }

    @Test("A replica that a live process held is not lost, whatever a new one of its name says")
    func displacing() throws {
        var broker = try broker()
        broker.displace("w", 3, boot: 2)
        broker.host(3, identity: 8, replacesLost: true)
        #expect(state(broker) == "refused" && known(broker) == ReplicaIdentity(7))
        // The operator stops the wrong one and starts the right one again.
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 7, lastSequence: 1)
        #expect(state(broker) == "whole")
    }

    @Test("A broker that starts again still knows the replicas")
    func restart() throws {
        let former = try broker()
        let state = try ClusterState(decoding: former.core.state.encoded)
        var broker = BrokerHarness(shards: 1, state: state)
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 8)
        #expect(self.state(broker) == "refused")
        broker.connect("c", 2)
        let message = ask(&broker, 9)?.shards.first?.message ?? ""
        #expect(message.contains("is refused") && message.contains("--replace-lost"), "\(message)")
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 7)
        #expect(self.state(broker) == "whole")
    }

    @Test("A worker that opens another replica while it runs loses its session")
    func exchanged() throws {
        var broker = try broker()
        broker.host(1, identity: 8)
        #expect(state(broker) == "unreachable" && broker.core.workers.all.isEmpty)
    }

    @Test("A heartbeat of another replica does not change what is known")
    func heartbeat() throws {
        var broker = try broker()
        var pulse = WirePulse()
        var shard = WireShardInventory()
        shard.index = "items"
        shard.identity = 8
        pulse.shards = [shard]
        broker.receive(.pong(pulse), from: address(1, .worker))
        #expect(broker.core.status(at: moment()).indexes.first?.documents == 5)
    }

    @Test("An answer without a worker still owns the documents that the worker had")
    func owned() throws {
        var broker = try broker()
        broker.decide(.unreachable(address(1, .worker)))
        let away = try #require(ask(&broker, 9))
        #expect(away.shards.first?.message.contains("worker w is away") == true)
        #expect(away.owned == 5 && away.searched == 0 && !away.complete)
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 8)
        let emptied = try #require(ask(&broker, 10))
        #expect(emptied.owned == 5 && emptied.searched == 0 && !emptied.complete)
        #expect(broker.core.status(at: moment()).indexes.first?.documents == 5)
    }
}
