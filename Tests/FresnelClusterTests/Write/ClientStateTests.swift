import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Client state")
struct ClientStateTests {
    /// One worker with two shards; documents "a"… spread over both.
    private func broker(state: ClusterState? = nil, last: UInt64 = 0) -> BrokerHarness {
        var broker = BrokerHarness(shards: 2, state: state)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.host(1, lastSequence: last)
        return broker
    }

    private func stored(_ broker: BrokerHarness) -> String? {
        broker.core.state.index(named: "items")?.clientState.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("A batch with a state is acknowledged only when the state is durable")
    func durability() throws {
        var broker = broker()
        try broker.put(2, batch: 1)
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        broker.writesAtOnce = false
        try broker.put(2, batch: 2, state: "two")
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(broker.acks(2).count == 1)
        broker.write()
        #expect(broker.acks(2).count == 2)
    }

    @Test("W-15: a state is fetched only once it is durable, as its batch is acknowledged")
    func fetching() throws {
        var broker = broker()
        try broker.put(2, batch: 1, state: "one")
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        broker.writesAtOnce = false
        try broker.put(2, batch: 2, state: "two")
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(fetched(&broker) == "one" && broker.acks(2).count == 1)
        broker.write()
        #expect(fetched(&broker) == "two" && broker.acks(2).count == 2)
    }

    private func fetched(_ broker: inout BrokerHarness) -> String? {
        var fetch = WireFetchState()
        fetch.index = "items"
        broker.receive(.fetchState(fetch), request(90), from: address(2))
        guard case .state(let state)? = broker.last(address(2))?.command else { return nil }
        return state.stateBytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A state that is not stored names the shards that did not journal their part")
    func reason() throws {
        var broker = broker()
        try broker.put(2, batch: 1)
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        try broker.put(2, batch: 2, state: "two", request: request(2, budget: .seconds(1)))
        let parts = broker.takeParts(1)
        let silent = try #require(parts.last).envelope.part
        for part in parts.dropLast() { broker.answer(part, from: 1) }
        broker.decide(.tick, after: 1.5)
        let message = broker.acks(2).last?.error.message ?? ""
        #expect(message.hasPrefix("shard \(silent) of index items did not"), "\(message)")
    }

    @Test("States commit in the order of their batches, whichever is journaled first")
    func order() throws {
        var broker = broker()
        try broker.put(2, batch: 1, state: "one")
        broker.host(1)
        try broker.put(2, batch: 2, state: "two")
        let parts = broker.takeParts(1).sorted { $0.envelope.sequence > $1.envelope.sequence }
        for (number, part) in parts.enumerated() {
            broker.answer(part, from: 1)
            // The second batch is settled first, and waits.
            if number == 1 { #expect(stored(broker) == nil && broker.acks(2).isEmpty) }
        }
        #expect(stored(broker) == "two" && broker.acks(2).count == 2)
        #expect(broker.core.writes.isAtRest)
    }

    @Test(
        "Compare-and-set accepts the stored or pending state and refuses any other",
        arguments: [("one", true), ("two", false), ("", false)])
    func compareAndSet(expected: String, isAccepted: Bool) throws {
        var broker = broker()
        try broker.put(2, batch: 1, state: "one")
        broker.host(1)
        try broker.put(2, batch: 2, state: "three", expecting: expected)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(stored(broker) == (isAccepted ? "three" : "one"))
        #expect(broker.verbs(2).contains(.error) == !isAccepted)
    }

    @Test("A state that builds on a batch that failed is not stored")
    func failedPredecessor() throws {
        var broker = broker()
        try broker.put(2, batch: 1, state: "one")
        broker.host(1)
        try broker.put(2, batch: 2, state: "two", expecting: "one")
        let parts = broker.takeParts(1)
        broker.answer(parts[0], from: 1, error: .storageFailed, last: 0)
        for part in parts.dropFirst() + broker.takeParts(1) { broker.answer(part, from: 1) }
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(stored(broker) == nil)
        #expect(broker.acks(2).last?.error.code == ErrorCode.mismatchedClientState.number)
    }

    @Test("A batch that is sent again behind a later one does not count as the newest state")
    func sentAgain() throws {
        var broker = broker()
        try broker.put(2, batch: 1, state: "one", request: request(1, budget: .seconds(1)))
        broker.host(1)
        _ = broker.takeParts(1)
        broker.decide(.tick, after: 1.5)
        try broker.put(2, batch: 2, state: "two")
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(stored(broker) == "two")
        try broker.put(2, batch: 1, state: "one", request: request(3))
        try broker.put(2, batch: 3, state: "three", expecting: "two", request: request(4))
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(stored(broker) == "three" && !broker.verbs(2).contains(.error))
    }

    @Test("Resends after a broker's restart neither fail the comparison nor put old states back")
    func restart() throws {
        var broker = broker()
        try broker.put(2, batch: 1, state: "one")
        broker.host(1)
        try broker.put(2, batch: 2, state: "two", expecting: "one")
        try broker.put(2, batch: 3, state: "three", expecting: "two")
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        let kept = try ClusterState(decoding: broker.core.state.encoded)
        var next = self.broker(state: kept, last: 3)
        try next.put(2, batch: 2, state: "two", expecting: "one")
        try next.put(2, batch: 3, state: "three", expecting: "two")
        for part in next.takeParts(1) { next.answer(part, from: 1) }
        #expect(next.acks(2).count == 2 && next.acks(2).allSatisfy { !$0.hasError })
        #expect(stored(next) == "three")
    }

    @Test("Delete all removes the stored state")
    func deleteAll() throws {
        var broker = broker()
        try broker.put(2, batch: 1, state: "one")
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        var head = WirePut()
        head.index = "items"
        head.clientLow = 5
        head.batchNumber = 2
        var builder = PutBuilder(head)
        _ = try builder.append(.deleteAll)
        broker.receive(
            .put(builder.message), request(2), payload: builder.payload,
            from: address(2, .client, .data))
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(broker.acks(2).count == 2 && stored(broker) == nil)
    }

    @Test("A state longer than the limit is refused")
    func length() throws {
        var broker = broker()
        let state = String(repeating: "s", count: Limits.clientStateBytes + 1)
        try broker.put(2, batch: 1, state: state)
        guard case .error(let failure)? = broker.last(address(2))?.command else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == ErrorCode.invalidClientState.number)
    }
}
