import FresnelModel
import FresnelWire

@testable import FresnelCluster

/// A broker with peers that are connected by hand; every message it sends is kept by address.
struct BrokerHarness {
    var core: BrokerCore
    private(set) var sent: [(message: Message, to: PeerAddress)] = []
    private(set) var logged: [(level: LogLevel, text: String)] = []
    private(set) var unwritten: [ClusterState] = []
    /// Whether workers that are to prove what they have all have the same, and say so at once.
    var provesAtOnce = true
    /// Addresses of which the shell was told that they have a session.
    private(set) var confirmed: Set<PeerAddress> = []
    /// Whether states are written the moment they are handed over.
    var writesAtOnce = true

    init(
        shards: UInt32 = 2, replication: UInt32 = 1, expectedWorkers: Int = 1,
        state: ClusterState? = nil, seed: UInt64 = 3, writesAtOnce: Bool = true,
        adoptsUnknown: Bool = false
    ) {
        self.writesAtOnce = writesAtOnce
        let settings = BrokerSettings(
            incarnation: 1, secret: 2, identitySeed: IndexIdentity(high: seed, low: seed),
            shardCount: shards, replication: replication, expectedWorkers: expectedWorkers,
            adoptsUnknown: adoptsUnknown)
        core = BrokerCore(settings: settings, state: state ?? ClusterState(clusterID: 1))
        perform(core.start(at: moment()))
    }

    /// A broker with worker 1, which holds all shards of one index and a batch, and client 2.
    static func serving(shards: UInt32 = 1, seed: UInt64 = 3) throws -> BrokerHarness {
        var broker = BrokerHarness(shards: shards, seed: seed)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        return broker
    }

    /// By how much its wall clock is wrong, in seconds.
    var clockError = 0.0

    mutating func decide(_ event: BrokerEvent, after seconds: Double = 0) {
        let former = sent.count
        var moment = moment(seconds)
        let wall = Timestamp(seconds: moment.wall.seconds + clockError) ?? moment.wall
        moment = Moment(instant: moment.instant, wall: wall)
        perform(core.decide(event, at: moment))
        guard provesAtOnce else { return }
        for (message, address) in sent.dropFirst(former) {
            guard case .checkReplica(let question) = message.command, question.salt != 0 else {
                continue
            }
            prove(question, from: address, hash: 5, after: seconds)
        }
    }

    /// A worker answers what it contains.
    mutating func prove(
        _ question: WireCheckReplica, from address: PeerAddress, hash: UInt64,
        salt: UInt64? = nil, after seconds: Double
    ) {
        var digest = WireReplicaDigest()
        digest.index = question.index
        digest.shard = question.shard
        digest.epoch = question.epoch
        digest.round = question.round
        digest.sequence = question.sequence
        digest.documents = 5
        digest.hashLow = hash
        digest.salt = salt ?? question.salt
        receive(.replicaDigest(digest), from: address, after: seconds)
    }

    private mutating func perform(_ effects: [BrokerEffect]) {
        for effect in effects {
            switch effect {
            case .send(let message, let address): sent.append((message, address))
            case .confirm(let address): confirmed.insert(address)
            case .doubt(let address): confirmed.remove(address)
            case .persist(let state): unwritten.append(state)
            case .log(let level, let text): logged.append((level, text))
            }
        }
        if writesAtOnce { write() }
    }

    /// Writes every state that was handed over.
    mutating func write() {
        while !unwritten.isEmpty {
            decide(.persisted(version: unwritten.removeFirst().version))
        }
    }

    /// The disk refuses every state that was handed over.
    mutating func refuseToWrite(after seconds: Double = 0) {
        let refused = unwritten
        unwritten = []
        let reason = WireFailure(.diskFull, "full")
        for state in refused {
            decide(.persistFailed(version: state.version, reason: reason), after: seconds)
        }
    }

    mutating func receive(
        _ command: Command, _ envelope: Envelope = Envelope(), payload: [UInt8]? = nil,
        from address: PeerAddress, after seconds: Double = 0
    ) {
        decide(
            .received(Message(envelope, command, payload: payload), from: address), after: seconds)
    }

    /// HELLO and JOIN of a peer whose lanes have the routing id `number`; of a worker's name, the
    /// process before has ended, and its connection with it.
    mutating func connect(
        _ name: String, _ number: UInt8, _ side: PeerAddress.Side = .client, boot: UInt64 = 1
    ) {
        let role: WireRole = side == .worker ? .worker : .client
        if side == .worker, let former = core.workers[WorkerID(name)], former.bootID != boot,
            let session = core.sessions[former.session]
        {
            decide(.unreachable(session.control))
        }
        receive(.hello(hello(name, role, boot: boot)), from: address(number, side))
        join(number, side)
    }

    /// HELLO and JOIN of a process that has the directory which is known under a worker's name,
    /// while another one that has it not lives under that name.
    mutating func displace(_ name: String, _ number: UInt8, boot: UInt64) {
        core.state.note(DirectoryIdentity(high: 1, low: 2), of: WorkerID(name))
        var greeting = hello(name, .worker, boot: boot)
        (greeting.directoryHigh, greeting.directoryLow) = (1, 2)
        receive(.hello(greeting), from: address(number, .worker))
        join(number, .worker)
    }

    mutating func join(_ number: UInt8, _ side: PeerAddress.Side = .client) {
        guard case .welcome(let welcome)? = last(address(number, side))?.command else { return }
        var join = WireJoin()
        join.sessionToken = welcome.sessionToken
        receive(.join(join), from: address(number, side, .data))
    }

    /// A worker answers its newest ASSIGN: every shard is open and at `lastSequence`.
    mutating func host(
        _ number: UInt8, identity: UInt64 = 0, lastSequence: UInt64 = 0,
        replacesLost: Bool = false, acceptsLoss: Bool = false, damage: String? = nil,
        after seconds: Double = 0
    ) {
        let assigns = messages(to: address(number, .worker))
        guard case .assign(let assign)? = assigns.last(where: { $0.verb == .assign })?.command
        else { return }
        var hosted = WireHosted()
        for index in assign.indexes {
            for (shard, epoch) in zip(index.shards, index.epochs) {
                if let damage {
                    var failure = WireShardFailure()
                    failure.index = index.index
                    failure.shard = shard
                    failure.epoch = epoch
                    failure.damaged = true
                    failure.failure = WireFailure(.storageFailed, damage)
                    hosted.failures.append(failure)
                    continue
                }
                var inventory = WireShardInventory()
                inventory.index = index.index
                inventory.shard = shard
                inventory.lastSequence = lastSequence
                inventory.identity = identity
                inventory.replacesLost = replacesLost
                inventory.acceptsLoss = acceptsLoss
                inventory.epoch = epoch
                hosted.shards.append(inventory)
            }
        }
        receive(.hosted(hosted), from: address(number, .worker), after: seconds)
    }

    /// A batch of client `number`.
    mutating func put(
        _ number: UInt8, batch: UInt64, _ documents: [String] = ["a", "b", "c", "d", "e"],
        state: String? = nil, expecting expected: String? = nil, request envelope: Envelope? = nil,
        after seconds: Double = 0
    ) throws {
        let (put, payload) = try FresnelClusterTests.put(
            batch: batch, documents, state: state, expecting: expected)
        receive(
            .put(put), envelope ?? request(batch), payload: payload,
            from: address(number, .client, .data), after: seconds)
    }

    /// Somebody else makes the index, which documents that belong to others do not.
    mutating func found() {
        let founder: UInt8 = 99
        connect("founder", founder)
        var put = WirePut()
        put.index = "items"
        put.clientLow = 1
        put.batchNumber = 1
        receive(.put(put), request(1_000), from: address(founder, .client, .data))
    }

    /// Client `number` puts documents that belong to another one.
    mutating func put(
        _ number: UInt8, batch: UInt64, _ identifiers: [String], about related: String?,
        budget: Duration = .seconds(10), after seconds: Double = 0
    ) throws {
        var head = WirePut()
        head.index = "items"
        head.clientLow = 5
        head.batchNumber = batch
        var builder = PutBuilder(head)
        for identifier in identifiers {
            var document = Document(uniqueIdentifier: identifier)
            document.attributes["relatedUniqueIdentifier"] = related.map { .string($0) }
            _ = try builder.append(.index(document))
        }
        receive(
            .put(builder.message), request(batch, budget: budget), payload: builder.payload,
            from: address(number, .client, .data), after: seconds)
    }

    /// A worker answers a PUT_PART.
    mutating func answer(
        _ part: Message, from number: UInt8, error: ErrorCode? = nil, last: UInt64? = nil,
        refusals: [WireItemResult] = [], applied: UInt64? = nil,
        documents: UInt64 = 0, after seconds: Double = 0
    ) {
        guard case .putPart(let put) = part.command else { return }
        var ack = WirePartAck()
        ack.index = put.index
        ack.shard = put.shard
        ack.lastSequence = last ?? part.envelope.sequence
        ack.refusals = refusals
        ack.appliedSequence = applied ?? part.envelope.sequence
        ack.documents = documents
        if let error { ack.error = WireFailure(error, "no") }
        ack.epoch = put.epoch
        receive(.partAck(ack), part.envelope, from: address(number, .worker, .data), after: seconds)
    }

    func messages(to address: PeerAddress) -> [Message] {
        sent.filter { $0.to == address }.map(\.message)
    }

    func last(_ address: PeerAddress) -> Message? { messages(to: address).last }

    /// The PUT_PARTs that worker `number` was sent, and forgets them.
    mutating func takeParts(_ number: UInt8) -> [Message] {
        let lane = address(number, .worker, .data)
        let parts = messages(to: lane).filter { $0.verb == .putPart }
        sent.removeAll { $0.to == lane && $0.message.verb == .putPart }
        return parts
    }

    func acks(_ number: UInt8) -> [WirePutAck] {
        messages(to: address(number, .client, .data)).compactMap { message in
            if case .putAck(let ack) = message.command { ack } else { nil }
        }
    }

    /// Verbs sent to both lanes of client `number`.
    func verbs(_ number: UInt8, _ side: PeerAddress.Side = .client) -> [Verb] {
        sent.filter { $0.to.side == side && $0.to.routingID == [number] }.map(\.message.verb)
    }
}
