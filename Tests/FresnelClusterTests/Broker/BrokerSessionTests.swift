import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Sessions of the broker")
struct BrokerSessionTests {
    @Test("HELLO and JOIN are answered, and requests before JOIN are put off")
    func opening() {
        var broker = BrokerHarness()
        broker.receive(.hello(hello("c")), from: address(1))
        broker.receive(.status(WireStatusRequest()), request(1), from: address(1))
        broker.join(1)
        #expect(broker.verbs(1) == [.welcome, .busy])
        broker.connect("d", 2)
        #expect(broker.verbs(2) == [.welcome, .joined])
    }

    @Test("A HELLO that was repeated before JOIN is answered with the same token")
    func repeatedHello() {
        var broker = BrokerHarness()
        for _ in 0..<3 { broker.receive(.hello(hello("c")), from: address(1)) }
        let tokens = broker.messages(to: address(1)).compactMap { message -> UInt64? in
            if case .welcome(let welcome) = message.command { welcome.sessionToken } else { nil }
        }
        #expect(tokens.count == 3 && Set(tokens).count == 1)
        #expect(broker.core.sessions.count == 1)
    }

    @Test("A HELLO of an open session opens a new one: its process forgot the old")
    func secondHello() {
        var broker = BrokerHarness()
        broker.connect("c", 1)
        let former = broker.core.sessions.session(at: address(1))?.id
        broker.connect("c", 1)
        #expect(broker.core.sessions.count == 1)
        #expect(broker.core.sessions.session(at: address(1))?.id != former)
    }

    @Test("Nothing is answered before the epoch is durable; who knocked is challenged then")
    func readiness() {
        var broker = BrokerHarness()
        broker.writesAtOnce = false
        broker.core = BrokerCore(
            settings: broker.core.settings, state: ClusterState(clusterID: 1))
        for effect in broker.core.start(at: moment()) {
            guard case .persist(let state) = effect else { continue }
            broker.receive(.hello(hello("c")), from: address(1))
            broker.decide(.probed(from: address(2)))
            #expect(broker.sent.isEmpty)
            broker.decide(.persisted(version: state.version))
        }
        #expect(broker.verbs(1) == [.challenge] && broker.verbs(2) == [.challenge])
    }

    @Test("Every start has a higher epoch than the last")
    func epochs() {
        let first = BrokerHarness(state: ClusterState(clusterID: 1)).core.state
        let second = BrokerHarness(state: first).core.state
        #expect(first.epoch < second.epoch && first.version < second.version)
    }

    @Test("A stranger is challenged once a second")
    func strangers() {
        var broker = BrokerHarness()
        for seconds in [0, 0.5, 1.0] {
            broker.receive(.status(WireStatusRequest()), from: address(1), after: seconds)
        }
        #expect(broker.verbs(1) == [.challenge, .challenge])
    }

    @Test("The same worker process on a new connection is not told to go")
    func reconnectedWorker() {
        var broker = BrokerHarness()
        broker.connect("w", 1, .worker)
        broker.connect("w", 2, .worker)
        #expect(!broker.verbs(1, .worker).contains(.goodbye))
        #expect(broker.core.workers.all.count == 1)
    }

    @Test("HOSTED that was left over from before JOIN is not believed: nothing could be sent back")
    func earlyHosted() throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.receive(.hello(hello("w", .worker, boot: 2)), from: address(1, .worker))
        broker.host(1)
        #expect(broker.takeParts(1).isEmpty)
        broker.join(1, .worker)
        broker.host(1)
        #expect(broker.takeParts(1).count == 1)
    }

    @Test(
        "A HELLO that cannot be served is rejected with a reason",
        arguments: ["version", "role", "name", "unknown role"])
    func rejection(what: String) {
        var broker = BrokerHarness()
        var greeting = hello(what == "name" ? "a b" : "w", .worker)
        if what == "version" { greeting.minimumMajor = 2; greeting.maximumMajor = 3 }
        if what == "role" { greeting.role = .client }
        if what == "unknown role" { greeting.role = .UNRECOGNIZED(7) }
        let side: PeerAddress.Side = what == "unknown role" ? .client : .worker
        broker.receive(.hello(greeting), from: address(1, side))
        #expect(broker.verbs(1, side) == [.reject])
    }

    @Test(
        "A peer at the other side's port is told where its own is",
        arguments: [
            (PeerAddress.Side.worker, "this is the workers' port: clients connect to 7700, "),
            (.client, "this is the clients' port: workers connect to 7710, "),
        ])
    func otherPort(side: PeerAddress.Side, text: String) {
        var broker = BrokerHarness()
        let greeting = hello("w", side == .worker ? .client : .worker)
        broker.receive(.hello(greeting), from: address(1, side))
        guard case .reject(let failure)? = broker.last(address(1, side))?.command else {
            Issue.record("not rejected")
            return
        }
        #expect(failure.message.hasPrefix(text))
    }

    @Test("Three unreadable messages end a session")
    func faults() {
        var broker = BrokerHarness()
        broker.connect("c", 1)
        for _ in 0..<3 { broker.decide(.unreadable(.frameCount(9), from: address(1))) }
        #expect(broker.core.sessions.count == 0)
    }

    @Test("A state that could not be written is tried again after a while, not at once")
    func failedWrites() {
        var broker = BrokerHarness()
        broker.writesAtOnce = false
        broker.core.state.touch()
        broker.decide(.tick)
        broker.refuseToWrite()
        #expect(broker.unwritten.isEmpty)
        broker.decide(.tick, after: 0.1)
        #expect(broker.unwritten.isEmpty)
        broker.decide(.tick, after: 0.3)
        #expect(broker.unwritten.count == 1)
    }

    @Test("S-16: A worker's retention is told on as long as it is here")
    func retention() {
        var broker = BrokerHarness()
        var hello = hello("w", .worker)
        hello.retention.milliseconds = 300_000
        hello.retention.batches = 4096
        broker.receive(.hello(hello), from: address(1, .worker))
        broker.join(1, .worker)
        broker.connect("v", 2, .worker)
        let workers = broker.core.status(at: moment()).workers
        #expect(workers.map(\.hasRetention) == [false, true])
        #expect(workers[1].retention == hello.retention)
    }
}
