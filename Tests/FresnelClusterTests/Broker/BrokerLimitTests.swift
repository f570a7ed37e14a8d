import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("What no peer can exceed")
struct BrokerLimitTests {
    private func code(_ message: Message?) -> Int32? {
        switch message?.command {
        case .error(let failure), .reject(let failure), .busy(let failure): failure.code
        default: nil
        }
    }

    @Test("F-9: every verb that a client may not send is refused with 406, and names the request")
    func clientRoutes() throws {
        for verb in Verb.allCases where !verb.rules.routes.contains(.clientToBroker) {
            var broker = try BrokerHarness.serving()
            guard let command = sample(verb) else { continue }
            let lane: Lane = verb.rules.lanes == .data ? .data : .control
            broker.receive(command, request(9), from: address(2, .client, lane))
            #expect(code(broker.last(address(2))) == ErrorCode.wrongRoute.number, "\(verb)")
            #expect(broker.last(address(2))?.envelope.id == request(9).id)
        }
    }

    @Test("F-9: every verb that a worker may not send is refused with 406")
    func workerRoutes() throws {
        for verb in Verb.allCases where !verb.rules.routes.contains(.workerToBroker) {
            var broker = try BrokerHarness.serving()
            guard let command = sample(verb) else { continue }
            let lane: Lane = verb.rules.lanes == .data ? .data : .control
            broker.receive(command, from: address(1, .worker, lane))
            #expect(code(broker.last(address(1, .worker))) == ErrorCode.wrongRoute.number)
        }
    }

    /// The empty command of a verb, as its bytes say; nil for those that open sessions.
    private func sample(_ verb: Verb) -> Command? {
        guard verb != .hello, verb != .join else { return nil }
        var flags: Header.Flags = []
        var frames: [[UInt8]] = [[]]
        if verb.rules.control != nil { flags.insert(.control); frames.append([]) }
        if verb.rules.payload == .always { flags.insert(.payload); frames.append([]) }
        frames[0] = Header(verb: verb, flags: flags, envelope: Envelope()).bytes
        return (try? Message(frames: frames))?.command
    }

    @Test("A verb on the other lane than its own is refused: STATUS between batches")
    func lanes() throws {
        var broker = try BrokerHarness.serving()
        broker.receive(
            .status(WireStatusRequest()), request(4), from: address(2, .client, .data))
        #expect(code(broker.last(address(2))) == ErrorCode.wrongRoute.number)
        #expect(!broker.verbs(2).contains(.statusReply))
        broker.receive(.status(WireStatusRequest()), request(5), from: address(2))
        #expect(broker.last(address(2))?.verb == .statusReply)
    }

    @Test("L-2: Replicas of all indexes are bounded, whoever asks for more")
    func replicas() throws {
        var broker = try BrokerHarness.serving()
        broker.change(.create, index: "large", number: 3) { $0.shardCount = 1024 }
        broker.change(.create, index: "larger", number: 4) { $0.shardCount = 256 }
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.code == ErrorCode.tooMany.number)
        #expect(refusal.message.contains("1025 of 1280"), "\(refusal.message)")
        broker.change(.create, index: "larger", number: 5) { $0.shardCount = 255 }
        #expect(broker.core.state.indexes.count == 3)
        let (put, payload) = try FresnelClusterTests.put(batch: 1, ["a"], in: "more", client: 5)
        broker.receive(
            .put(put), request(999), payload: payload, from: address(2, .client, .data))
        #expect(code(broker.last(address(2))) == ErrorCode.tooMany.number)
    }

    @Test("Indexes are bounded: one more is refused with tooMany, those there are go on")
    func indexes() throws {
        var broker = try BrokerHarness.serving()
        for number in 1..<Limits.indexes {
            let (put, payload) = try FresnelClusterTests.put(
                batch: 1, ["a"], in: "index\(number)", client: 5)
            broker.receive(
                .put(put), request(100 + UInt64(number)), payload: payload,
                from: address(2, .client, .data))
        }
        #expect(broker.core.state.indexes.count == Limits.indexes)
        let (put, payload) = try FresnelClusterTests.put(batch: 1, ["a"], in: "more", client: 5)
        broker.receive(
            .put(put), request(999), payload: payload, from: address(2, .client, .data))
        #expect(code(broker.last(address(2))) == ErrorCode.tooMany.number)
        #expect(broker.core.state.indexes.count == Limits.indexes)
        try broker.put(2, batch: 2)
        #expect(broker.takeParts(1).contains { $0.envelope.id == request(2).id })
    }

    @Test("Sessions are bounded; who comes back to his own is let in")
    func sessions() {
        var broker = BrokerHarness()
        for number in 0..<Limits.clientSessions {
            let from = PeerAddress(
                side: .client, lane: .control,
                routingID: [UInt8(number & 255), UInt8(number >> 8)])
            _ = broker.core.decide(
                .received(
                    Message(Envelope(), .hello(hello("c", boot: UInt64(number)))), from: from),
                at: moment())
        }
        broker.receive(.hello(hello("late", boot: 7)), from: address(9))
        #expect(code(broker.last(address(9))) == ErrorCode.busy.number)
        let known = PeerAddress(side: .client, lane: .control, routingID: [5, 0])
        broker.receive(.hello(hello("c", boot: 99_999)), from: known)
        #expect(broker.last(known)?.verb == .welcome)
        broker.connect("w", 1, .worker)
        #expect(broker.core.workers.all.count == 1)
    }

    @Test("Names and software lines have a length, and a log shows no line ends of theirs")
    func names() {
        var broker = BrokerHarness()
        let long = String(repeating: "n", count: Limits.clientNameBytes + 1)
        broker.receive(.hello(hello(long)), from: address(1))
        #expect(code(broker.last(address(1))) == ErrorCode.tooLarge.number)
        var greeting = hello("w", .worker)
        greeting.software = String(repeating: "s", count: Limits.softwareBytes + 1)
        broker.receive(.hello(greeting), from: address(1, .worker))
        #expect(code(broker.last(address(1, .worker))) == ErrorCode.tooLarge.number)

        broker.connect("c\nerror: the disk is on fire", 2)
        let effects = broker.core.decide(
            .unreadable(.frameCount(9), from: address(2)), at: moment())
        let lines = effects.compactMap { effect in
            if case .log(_, let text) = effect { text } else { nil }
        }
        #expect(lines.count == 1 && lines.allSatisfy { !$0.contains("\n") })
    }

    @Test("A client has a bounded number of batches in flight, however small they are")
    func batches() throws {
        var broker = try BrokerHarness.serving()
        let count = UInt64(Limits.batchesPerClient)
        for number in 2..<(count + 2) { try broker.put(2, batch: number, ["a"]) }
        #expect(broker.core.writes.pendingCount == Limits.batchesPerClient)
        try broker.put(2, batch: count + 2, ["a"])
        #expect(code(broker.last(address(2))) == ErrorCode.busy.number)
        broker.connect("d", 3)
        let (put, payload) = try FresnelClusterTests.put(batch: 1, ["a"], client: 6)
        broker.receive(
            .put(put), request(1), payload: payload, from: address(3, .client, .data))
        #expect(broker.core.writes.pendingCount == Limits.batchesPerClient + 1)
    }

    @Test("Importers that were told to come again are bounded; nothing can then overtake them")
    func postponed() throws {
        var broker = BrokerHarness()
        broker.connect("c", 2)
        for client in 0...UInt64(Limits.postponedPerClient) {
            let (put, payload) = try FresnelClusterTests.put(batch: 1, ["a"], client: client)
            broker.receive(
                .put(put), request(client), payload: payload, from: address(2, .client, .data))
        }
        let codes = broker.messages(to: address(2)).compactMap { code($0) }
        #expect(codes.filter { $0 == ErrorCode.noWorkers.number }.count == 64)
        #expect(codes.last == ErrorCode.tooMany.number)
    }

    @Test(
        "Numbers that are none are refused with invalidArgument",
        arguments: [Double.nan, .infinity, -.infinity])
    func numbers(number: Double) throws {
        var broker = try BrokerHarness.serving()
        var asked = search()
        asked.coverage = number
        broker.receive(.query(asked), request(1), from: address(2))
        #expect(code(broker.last(address(2))) == ErrorCode.invalidArgument.number)
        asked = search()
        asked.context.now = number
        broker.receive(.query(asked), request(2), from: address(2))
        #expect(code(broker.last(address(2))) == ErrorCode.invalidArgument.number)
        var (put, payload) = try FresnelClusterTests.put(batch: 2, ["a"])
        put.context.now = number
        broker.receive(
            .put(put), request(3), payload: payload, from: address(2, .client, .data))
        #expect(code(broker.last(address(2))) == ErrorCode.invalidArgument.number)
        #expect(broker.core.queries.count == 0 && broker.core.writes.isAtRest)
    }

    @Test("Q-57: A worker's lie is counted, and the status says which promise it broke")
    func faultCounter() throws {
        var broker = try BrokerHarness.serving()
        broker.receive(.query(search()), request(1), from: address(2))
        let asked = try #require(
            broker.messages(to: address(1, .worker)).last { $0.verb == .subquery })
        var done = WirePartDone()
        done.shards = [report(0, found: 3)]
        broker.receive(.partDone(done), asked.envelope, from: address(1, .worker, .data))
        #expect(broker.core.counters.faultyParts == 1)
        #expect(broker.core.counters.all.contains { $0 == ("faultyParts", 1) })
        #expect(broker.core.counters.violations[.countsTrue] == 1)
        broker.receive(.status(WireStatusRequest()), request(2), from: address(2))
        guard case .statusReply(let status)? = broker.last(address(2))?.command else {
            Issue.record("no status")
            return
        }
        let told = status.counters.filter { $0.name.hasPrefix("violations.") }
        #expect(told.map(\.name).contains("violations.boundMonotone"))
        #expect(told.filter { $0.value > 0 }.map(\.name) == ["violations.countsTrue"])
    }

    @Test("Inventories and acknowledgements without measure neither overflow nor stop the broker")
    func implausible() throws {
        var broker = try BrokerHarness.serving()
        var inventory = WireShardInventory()
        inventory.index = "items"
        inventory.lastSequence = .max
        inventory.documents = .max
        var hosted = WireHosted()
        hosted.shards = [inventory]
        broker.receive(.hosted(hosted), from: address(1, .worker))
        var pulse = WirePulse()
        pulse.shards = [inventory]
        pulse.residentBytes = .max
        pulse.oldestTaskMs = .max
        broker.receive(.pong(pulse), from: address(1, .worker))
        try broker.put(2, batch: 2, ["a"])
        let part = try #require(broker.takeParts(1).first)
        var ack = WirePartAck()
        ack.index = "items"
        ack.lastSequence = .max
        broker.receive(.partAck(ack), part.envelope, from: address(1, .worker, .data))
        #expect(broker.acks(2).count == 1)
        ack.lastSequence = part.envelope.sequence
        ack.documents = .max
        ack.deleted = .max
        ack.refusals = (0..<5000 as Range<UInt32>).map { position in
            var refusal = WireItemResult()
            refusal.position = position
            return refusal
        }
        broker.receive(.partAck(ack), part.envelope, from: address(1, .worker, .data))
        #expect(broker.acks(2).count == 2 && broker.acks(2).last?.applied == 0)
        broker.receive(.status(WireStatusRequest()), request(8), from: address(2))
        #expect(broker.last(address(2))?.verb == .statusReply)
        broker.receive(.query(search()), request(9), from: address(2))
        try broker.put(2, batch: 3, ["b"])
        #expect(broker.takeParts(1).count == 1)
    }

    @Test(
        "A batch without operations is answered exactly once, with a client state and without",
        arguments: [nil, "state"])
    func emptyBatch(state: String?) throws {
        var broker = try BrokerHarness.serving()
        let before = broker.acks(2).count
        try broker.put(2, batch: 2, [], state: state)
        #expect(broker.takeParts(1).isEmpty)
        #expect(broker.acks(2).count == before + 1)
        #expect(broker.core.writes.isAtRest)
        for step in [1.0, 2, 40] { broker.decide(.tick, after: step) }
        #expect(broker.acks(2).count == before + 1)
        let stored = broker.core.state.index(named: "items")?.clientState
        #expect(stored == state.map { Array($0.utf8) })
    }

    @Test(
        "An empty first batch makes its index and waits until that is durable",
        arguments: [nil, "s"])
    func emptyFirstBatch(state: String?) throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.writesAtOnce = false
        try broker.put(2, batch: 1, [], state: state)
        #expect(broker.acks(2).isEmpty)
        broker.write()
        #expect(broker.acks(2).count == 1 && broker.core.writes.isAtRest)
    }
}
