import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// A broker without its state, or with an older one, does not call itself whole.
@Suite("What workers hold and a broker does not know")
struct UnknownReplicaTests {
    private static func found(
        _ index: String, _ shard: UInt32, of count: UInt32 = 2, last: UInt64 = 5,
        identity: UInt64 = 7, made: UInt64 = 0
    ) -> WireFoundReplica {
        var found = WireFoundReplica()
        found.index = index
        found.shard = shard
        found.shardCount = count
        found.identity = identity
        found.indexIdentityLow = made
        found.lastSequence = last
        return found
    }

    /// HELLO and JOIN of a worker, and what it found in its directory.
    private func connect(
        _ broker: inout BrokerHarness, _ number: UInt8, _ name: String, cluster: UInt64 = 1,
        found: [WireFoundReplica] = [], tells: Bool = true
    ) {
        var hello = hello(name, .worker)
        hello.cluster = cluster
        hello.holdsReplicas = !found.isEmpty
        broker.receive(.hello(hello), from: address(number, .worker))
        broker.join(number, .worker)
        guard tells else { return }
        for message in WireHosted.messages(found: found) {
            broker.receive(.hosted(message), from: address(number, .worker))
        }
    }

    private func ask(_ broker: inout BrokerHarness, _ indexes: [String] = [], _ number: UInt64) {
        var search = search()
        search.indexes = indexes
        search.coverage = 0
        broker.receive(.query(search), request(number), from: address(2))
    }

    private func done(_ broker: BrokerHarness) -> WireDone? {
        broker.messages(to: address(2, .client, .data)).compactMap {
            if case .done(let done) = $0.command { done } else { nil }
        }.last
    }

    private func failure(_ broker: BrokerHarness) -> WireFailure? {
        switch broker.last(address(2))?.command {
        case .error(let failure), .busy(let failure): failure
        default: nil
        }
    }

    @Test(
        "An index that only workers know makes answers incomplete, and none of its name is made")
    func unknownIndex() throws {
        var broker = BrokerHarness()
        connect(&broker, 1, "w", found: [Self.found("items", 0), Self.found("items", 1)])
        broker.connect("c", 2)
        for indexes in [[], ["items"]] {
            ask(&broker, indexes, 10 + UInt64(indexes.count))
            let done = try #require(self.done(broker))
            #expect(!done.complete && done.shards.map(\.shard) == [0, 1])
            #expect(done.shards.allSatisfy { $0.status == .unreachable && $0.worker.isEmpty })
            #expect(done.shards[0].message.contains("--adopt"), "\(done.shards[0].message)")
        }
        let status = broker.core.status(at: moment())
        #expect(status.unknownReplicas.map(\.shard) == [0, 1])
        #expect(status.unknownReplicas.allSatisfy { $0.message.contains("newest cluster-state") })
        #expect(broker.logged.contains { $0.level == .error && $0.text.contains("--adopt") })
        // An import that heard of no state would begin anew.
        var fetch = WireFetchState()
        fetch.index = "items"
        broker.receive(.fetchState(fetch), request(20), from: address(2))
        #expect(failure(broker)?.message.contains("--adopt") == true)
        fetch.index = "other"
        broker.receive(.fetchState(fetch), request(21), from: address(2))
        #expect(broker.last(address(2))?.verb == .state)
        try broker.put(2, batch: 1)
        let ack = try #require(failure(broker))
        #expect(ack.code == ErrorCode.indexExists.number && ack.message.contains("--adopt"))
        #expect(broker.core.state.indexes.isEmpty)
        // Moved away by the operator.
        connect(&broker, 3, "w")
        try broker.put(2, batch: 2)
        #expect(broker.core.state.index(named: "items") != nil)
        #expect(broker.core.status(at: moment()).unknownReplicas.isEmpty)
    }

    @Test("While a worker has not told what it holds, no index is made, only later")
    func awaited() throws {
        var broker = BrokerHarness()
        let held = [Self.found("other", 0)]
        connect(&broker, 1, "w", found: held, tells: false)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        #expect(failure(broker)?.code == ErrorCode.starting.number)
        for message in WireHosted.messages(found: held) {
            broker.receive(.hosted(message), from: address(1, .worker))
        }
        try broker.put(2, batch: 1)
        #expect(broker.core.state.index(named: "items") != nil)
    }

    @Test("A broker without an index says nothing of what there is before its workers are here")
    func tooEarly() throws {
        var broker = BrokerHarness(expectedWorkers: 2)
        broker.connect("c", 2)
        for number in UInt8(3)...5 {
            ask(&broker, [], UInt64(number))
            let isEarly = number < 5
            #expect((failure(broker)?.code == ErrorCode.starting.number) == isEarly, "\(number)")
            var fetch = WireFetchState()
            fetch.index = "items"
            broker.receive(.fetchState(fetch), request(UInt64(number) + 10), from: address(2))
            #expect((broker.last(address(2))?.verb == .busy) == isEarly, "\(number)")
            connect(&broker, number, "w\(number)")
        }
    }

    @Test("A worker of another cluster is assigned nothing, and what it holds is told of")
    func otherCluster() throws {
        var broker = BrokerHarness()
        connect(&broker, 1, "w", cluster: 99, found: [Self.found("items", 0)])
        broker.connect("c", 2)
        #expect(!broker.verbs(1, .worker).contains(.assign))
        ask(&broker, [], 10)
        #expect(try #require(done(broker)).complete == false)
        #expect(
            broker.core.status(at: moment()).unknownReplicas.first?.message
                .contains("another cluster") == true)
        try broker.put(2, batch: 1)
        #expect(failure(broker)?.code == ErrorCode.indexExists.number)
        // With replicas of other names there is nobody to place on.
        #expect(broker.core.members.isEmpty)
        // Empty-handed it would be anybody's.
        connect(&broker, 3, "v", cluster: 99)
        #expect(broker.core.members.map(\.worker) == [WorkerID("v")])
    }

    @Test("One of another cluster that takes over the name of one that is here stays a stranger")
    func strangerInPlace() throws {
        var broker = try BrokerHarness.serving()
        broker.core.state.note(DirectoryIdentity(high: 1, low: 2), of: WorkerID("w"))
        var greeting = hello("w", .worker, boot: 2)
        (greeting.directoryHigh, greeting.directoryLow) = (1, 2)
        greeting.cluster = 99
        greeting.holdsReplicas = true
        broker.receive(.hello(greeting), from: address(3, .worker))
        broker.join(3, .worker)
        #expect(broker.core.workers[WorkerID("w")]?.bootID == 2)
        #expect(broker.core.members.isEmpty && !broker.verbs(3, .worker).contains(.assign))
    }

    @Test(
        "A shard that is newer elsewhere than the state knows is told of; one that lags is a rest",
        arguments: [(4, false), (5, true)] as [(UInt64, Bool)])
    func moved(last: UInt64, isNewer: Bool) throws {
        var state = ClusterState(clusterID: 1)
        var shard = ShardState(on: [WorkerID("w")])
        shard.acknowledged = SequenceNumber(4)
        state.change(
            IndexState(
                name: "items", identity: IndexIdentity(high: 1, low: 1), shardCount: 1,
                shards: [shard], defaultExpirationSeconds: nil))
        var broker = BrokerHarness(shards: 1, state: state)
        connect(&broker, 1, "v", found: [Self.found("items", 0, of: 1, last: last)])
        #expect(broker.core.unknownReplicas.map(\.reason) == (isNewer ? [.newerThanKnown] : []))
        // Of another index of that name it counts however old it is.
        connect(&broker, 3, "u", found: [Self.found("items", 0, of: 1, last: 1, made: 9)])
        #expect(broker.core.unknownReplicas.contains { $0.reason == .otherIndex })
    }

    @Test("A shard that is newer elsewhere is searched, told of once, and not whole")
    func searched() throws {
        var broker = try BrokerHarness.serving()
        connect(&broker, 3, "v", found: [Self.found("items", 0, of: 1, last: 99)])
        #expect(broker.core.unknownReplicas.map(\.reason) == [.newerThanKnown])
        ask(&broker, [], 20)
        let task = try #require(
            broker.messages(to: address(1, .worker)).last { $0.verb == .subquery })
        var part = WirePartDone()
        part.shards = [report(0, found: 0)]
        broker.receive(.partDone(part), task.envelope, from: address(1, .worker, .data))
        let done = try #require(self.done(broker))
        #expect(!done.complete && done.shards.map(\.status) == [.failed], "\(done.shards)")
        #expect(done.shards.first?.worker == "w")
        #expect(done.shards.first?.message.contains("newest cluster-state back") == true)
    }

    @Test("What a worker answered since its last heartbeat is known of the shard")
    func heartbeat() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        // Nobody is told that part 2 is acknowledged before all its shards have it.
        try broker.put(2, batch: 2)
        let part = try #require(broker.takeParts(1).first { $0.envelope.part == 0 })
        broker.answer(part, from: 1)
        #expect(broker.acks(2).count == 1)
        var pulse = WirePulse()
        pulse.shards = broker.core.workers[WorkerID("w")].map { Array($0.whole.values) } ?? []
        #expect(pulse.shards.contains { $0.lastSequence == 2 })
        for place in pulse.shards.indices { pulse.shards[place].lastSequence = 1 }
        broker.receive(.pong(pulse), from: address(1, .worker))
        for (last, unknown) in [(2, 0), (3, 1)] as [(UInt64, Int)] {
            let found = Self.found("items", 0, last: last)
            connect(&broker, UInt8(last) + 3, "v", found: [found])
            #expect(broker.core.unknownReplicas.count == unknown, "part \(last)")
        }
    }

    @Test("Told to take over, a new broker makes the cluster of what workers hold")
    func adoption() throws {
        var broker = BrokerHarness(adoptsUnknown: true)
        connect(
            &broker, 1, "w", cluster: 99,
            found: [
                Self.found("items", 0, last: 8, identity: 70, made: 3),
                Self.found("items", 1, last: 6, identity: 71, made: 3),
            ])
        connect(
            &broker, 3, "v", cluster: 99,
            found: [
                Self.found("items", 0, last: 7, identity: 80, made: 3),
                Self.found("items", 1, last: 6, identity: 81, made: 3),
            ])
        #expect(broker.core.state.clusterID == 99)
        broker.pong([1, 3], after: 4)
        broker.decide(.tick, after: 5)
        #expect(broker.core.state.indexes.isEmpty)
        broker.pong([1, 3], after: 8)
        broker.decide(.tick, after: 11)
        let index = try #require(broker.core.state.index(named: "items"))
        #expect(index.shardCount == 2 && index.replication == 2)
        #expect(index.identity == IndexIdentity(high: 0, low: 3))
        #expect(index.sequenceLease.value > 8)
        #expect(index.shards[0].inSync == [WorkerID("w")])
        #expect(Set(index.shards[1].inSync) == [WorkerID("w"), WorkerID("v")])
        #expect(index.shards[0].replica(on: WorkerID("v"))?.identity == ReplicaIdentity(80))
        #expect(index.shards.map(\.acknowledged.value) == [8, 6])
        #expect(broker.core.unknownReplicas.isEmpty)
        #expect(broker.verbs(1, .worker).contains(.assign))
    }

    @Test("Who was told of a cluster that is none any more hears of the one that is taken over")
    func adoptionOfOthers() throws {
        var broker = BrokerHarness(adoptsUnknown: true)
        connect(&broker, 1, "v", cluster: 0)
        let held = [Self.found("items", 0), Self.found("items", 1)]
        connect(&broker, 3, "w", cluster: 99, found: held)
        #expect(broker.core.state.clusterID == 99)
        #expect(broker.verbs(1, .worker).last == .goodbye)
        #expect(broker.core.members.map(\.worker) == [WorkerID("w")])
        connect(&broker, 4, "v", cluster: 1)
        guard case .welcome(let welcome)? = broker.messages(to: address(4, .worker)).first?.command
        else {
            Issue.record("no WELCOME")
            return
        }
        #expect(welcome.cluster == 99)
        #expect(broker.core.members.map(\.worker.name) == ["v", "w"])
        for second in [4.0, 8] { broker.pong([3, 4], after: second) }
        broker.decide(.tick, after: 11)
        #expect(broker.core.state.indexes.map(\.name) == ["items"])
        // It becomes nobody else's, and nobody's session ends for that.
        connect(&broker, 5, "u", cluster: 98, found: [Self.found("other", 0, of: 1)])
        #expect(broker.core.state.clusterID == 99 && broker.core.members.count == 2)
    }

    @Test("What is not whole is not taken over, and the broker says once what is missing")
    func partial() throws {
        var broker = BrokerHarness(adoptsUnknown: true)
        connect(&broker, 1, "w", found: [Self.found("items", 0), Self.found("notes", 0, of: 1)])
        for second in [4, 8, 11, 12, 13, 14] {
            broker.pong([1], after: Double(second))
            broker.decide(.tick, after: Double(second))
        }
        #expect(broker.core.state.indexes.map(\.name) == ["notes"])
        let told = broker.logged.filter { $0.text.contains("nobody here holds its shards 1") }
        #expect(told.count == 1)
        #expect(broker.core.unknownReplicas.map(\.key.index) == ["items"])
    }

    @Test("A broker that has indexes becomes nobody else's")
    func noMerging() throws {
        var broker = BrokerHarness(adoptsUnknown: true)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        connect(&broker, 3, "v", cluster: 99, found: [Self.found("notes", 0, of: 1)])
        broker.decide(.tick, after: 12)
        #expect(broker.core.state.clusterID == 1)
        #expect(broker.core.state.indexes.map(\.name) == ["items"])
    }

    private func drain(
        _ worker: String, number: UInt64, isDry: Bool = false, _ broker: inout BrokerHarness
    ) {
        var request = WirePlanRequest()
        request.action = .drain
        request.worker = worker
        request.dryRun = isDry
        broker.receive(
            .plan(request), FresnelClusterTests.request(number), from: address(2), after: 1)
    }

    @Test("What a worker told counts until it is drained while it is away, and again when it comes")
    func goneForGood() throws {
        var broker = try BrokerHarness.serving()
        let held = [Self.found("extra", 0, of: 1)]
        connect(&broker, 3, "v", found: held)
        drain("v", number: 20, &broker)
        #expect(broker.last(address(2))?.verb == .planReply)
        #expect(broker.core.unknownReplicas.count == 1, "it is here")
        broker.decide(.unreachable(address(3, .worker)))
        let told = try #require(broker.core.unknownReplicas.first)
        #expect(told.text.contains("fresnel drain v"), "\(told.text)")
        #expect(broker.core.status(at: moment()).unknownReplicas.first?.message == told.text)
        drain("v", number: 21, isDry: true, &broker)
        #expect(broker.core.unknownReplicas.count == 1, "asked what would be")
        drain("v", number: 22, &broker)
        #expect(broker.last(address(2))?.verb == .planReply)
        #expect(broker.core.unknownReplicas.isEmpty)
        connect(&broker, 4, "v", found: held)
        #expect(broker.core.unknownReplicas.count == 1)
    }

    @Test("A worker that is away and never held anything that is known can be drained")
    func strangerGone() throws {
        var broker = try BrokerHarness.serving()
        connect(&broker, 3, "v", found: [Self.found("extra", 0, of: 1)])
        broker.decide(.unreachable(address(3, .worker)))
        drain("v", number: 20, &broker)
        #expect(broker.last(address(2))?.verb == .planReply)
        #expect(broker.core.unknownReplicas.isEmpty)
        #expect(broker.core.state.drained == [WorkerID("v")])
    }
}
