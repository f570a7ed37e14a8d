import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A worker's name at the broker")
struct WorkerNameTests {
    /// Worker 1 lives with its directory, and holds a shard with a batch of client 2.
    private func serving() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1)
        broker.receive(.hello(greeting(boot: 1, directory: 7)), from: address(1, .worker))
        broker.join(1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1, identity: 9)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        return broker
    }

    private func greeting(boot: UInt64, directory: UInt64, at endpoint: String = "") -> WireHello {
        var greeting = hello("w", .worker, boot: boot)
        greeting.directoryHigh = directory
        greeting.directoryLow = directory
        greeting.transferEndpoint = endpoint
        return greeting
    }

    private func rejections(_ broker: BrokerHarness, _ number: UInt8) -> [WireFailure] {
        broker.messages(to: address(number, .worker)).compactMap {
            if case .reject(let failure) = $0.command { failure } else { nil }
        }
    }

    @Test(
        "S-6: A HELLO under a live worker's name ends nothing: it is refused, with both addresses",
        arguments: [0, 7, 8] as [UInt64])
    func refused(directory: UInt64) throws {
        var broker = try serving()
        let session = broker.core.workers[WorkerID("w")]?.session
        for tenth in 0..<30 {
            let seconds = Double(tenth) / 10
            broker.receive(
                .hello(greeting(boot: 2, directory: directory, at: "tcp://10.0.0.9:1")),
                from: address(3, .worker), after: seconds)
            broker.receive(.pong(WirePulse()), from: address(1, .worker), after: seconds + 0.05)
        }
        let told = rejections(broker, 3)
        #expect(told.first?.code == ErrorCode.nameTaken.number)
        #expect(told.first?.message.contains("tcp://10.0.0.9:1") == true)
        #expect(broker.core.workers[WorkerID("w")]?.session == session)
        #expect(!broker.verbs(1, .worker).contains(.goodbye))
        #expect(!broker.verbs(3, .worker).contains(.welcome))
        #expect(broker.logged.count { $0.text.contains("refused") } == 1)
        // It is asked for a sign of life once a second, however often the stranger asks.
        #expect(broker.verbs(1, .worker).count { $0 == .ping } <= 4)
    }

    @Test("A worker that was killed is back at once: its connection is gone")
    func killed() throws {
        var broker = try serving()
        broker.receive(.hello(greeting(boot: 2, directory: 7)), from: address(3, .worker))
        #expect(broker.verbs(1, .worker).last == .ping)
        broker.decide(.unreachable(address(1, .worker)))
        broker.receive(
            .hello(greeting(boot: 2, directory: 7)), from: address(3, .worker), after: 0.1)
        #expect(broker.verbs(3, .worker) == [.welcome])
    }

    @Test("A worker whose machine lost power is back after a second with its own directory")
    func lostPower() throws {
        var broker = try serving()
        for tenth in 0...10 {
            broker.receive(
                .hello(greeting(boot: 2, directory: 7)), from: address(3, .worker),
                after: Double(tenth) / 10)
        }
        #expect(broker.verbs(3, .worker) == [.welcome])
        #expect(broker.core.workers.all.map(\.bootID) == [2])
    }

    @Test("Who holds the known directory takes its name back from a stranger, also after a restart")
    func takenBack() throws {
        let state = try serving().core.state
        #expect(state.directories == [WorkerID("w"): DirectoryIdentity(high: 7, low: 7)])
        var broker = BrokerHarness(state: try ClusterState(decoding: state.encoded))
        broker.receive(.hello(greeting(boot: 5, directory: 8)), from: address(3, .worker))
        broker.join(3, .worker)
        // What the replica is called it learnt from ASSIGN: that makes its directory no known one.
        broker.host(3, identity: 9, lastSequence: 1)
        broker.receive(.hello(greeting(boot: 1, directory: 7)), from: address(1, .worker))
        #expect(broker.verbs(1, .worker) == [.welcome])
        #expect(broker.verbs(3, .worker).last == .goodbye)
    }

    @Test("A directory that took a lost one's place is the known one")
    func replaced() throws {
        var broker = try serving()
        broker.decide(.unreachable(address(1, .worker)))
        broker.receive(.hello(greeting(boot: 2, directory: 8)), from: address(3, .worker))
        broker.join(3, .worker)
        broker.host(3, identity: 10, replacesLost: true)
        #expect(
            broker.core.state.directories
                == [WorkerID("w"): DirectoryIdentity(high: 8, low: 8)])
    }
}
