@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// A whole cluster in one thread: the cores as values, a network, disks and clients that are made of
// nothing but a seed and a virtual clock (Will Wilson 2014, "Testing distributed systems with
// deterministic simulation"; TigerBeetle's simulator is the nearest relative).
//
// A run has three parts. In the first the clients ask and write while misfortunes happen. Then
// comes calm: nothing new is asked, everything restarts, and whatever was promised must come to its
// end. Last, every client asks for everything, and nothing may be left over anywhere.

/// One run of the simulator.
struct Simulation {
    /// What a run is made of; decided by the seed alone.
    struct Shape {
        var workers: Int
        var clients: Int
        var shards: UInt32
        var indexes: [String]
        var hasMisfortunes: Bool
        /// Copies of every shard.
        var replication: UInt32 = 1
        /// Whether nothing goes wrong but that workers crash, one at a time.
        var losesOneWorker = false
        /// How workers come and are drained meanwhile.
        var membership = Membership.fixed
        /// What disks do.
        var disks = Disks.plain
        /// Whether the broker comes back with an older state, or none, once.
        var losesState = false
        /// Whether indexes and aliases are made and removed.
        var changesIndexes = false
        /// How long the first part takes.
        var unrest: Duration
    }

    let seed: UInt64
    let shape: Shape
    var random: SplitMix64
    /// The dice of membership, so that the fates of other seeds stay as they were.
    var fate: SplitMix64
    /// The dice of disks.
    var dice: SplitMix64
    /// The dice of strangers.
    var strangers: SplitMix64
    /// How wrong wall clocks are.
    var clocks: SimulatedClocks
    /// What the broker has forgotten, and what becomes of that.
    var memory = BrokerMemory()
    /// Whether every shard of every index could be searched at some moment.
    var wasWhole = false
    var now = Instant(nanoseconds: 1_000_000_000)
    var agenda = Agenda()
    var network = Network()
    var broker: SimulatedBroker
    var workers: [SimulatedWorker]
    var clients: [SimulatedClient]
    var oracle = Oracle()
    var store = SimulatedStore()
    var passing: PassingIndexes
    /// What came with each client state.
    var stateItems: [[UInt8]: [StepName]] = [:]
    /// Writes that may have been lost with a disk that was given up.
    var forsaken: Set<StepName> = []
    var ledger = CreditLedger()
    /// Queries that score with remembered statistics and have parts that did not match yet.
    var cachedCounts: [CreditLedger.Part: CachedCount] = [:]
    var trace: Trace
    /// What each running query reads.
    var readings: [RequestID: [Reading]] = [:]
    /// The digest of the last answer, which every client must get.
    var lastDigest: String?
    /// The first broken invariant, and how.
    var violation: String?
    var isCalm = false
    var tally = Tally()
    /// Addresses that a send of the broker did not find.
    var unreachable: [PeerAddress] = []
    /// Addresses whose reader is slow, that a send of the broker had to wait for.
    var stalled: [PeerAddress] = []
    /// What every epoch of a shard stands for, once it was on disk.
    var epochs: [EpochName: [ReplicaState]] = [:]
    /// The state that each marker of a followed query names, in the order they were sent.
    ///
    /// A query is asked again, by its next try, when its session is lost before the client knows
    /// of an answer: what was told to the former try then never comes.
    var positions: [FollowName: [[ShardKey: SequenceNumber]]] = [:]

    init(
        seed: UInt64, isTraced: Bool, losesOneWorker: Bool = false,
        membership: Membership = .fixed, disks: Disks = .faulty, losesState: Bool = false,
        changesIndexes: Bool = false
    ) {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        var shape = Shape(
            workers: random.number(in: 1...4), clients: random.number(in: 1...3),
            shards: UInt32(random.number(in: 1...6)),
            indexes: random.chance(30) ? ["items", "notes"] : ["items"],
            hasMisfortunes: random.chance(90),
            unrest: random.milliseconds(2_000...9_000))
        // Of its own dice, so that the fates of seeds with one copy stay as they were.
        var dice = SplitMix64(seed: ~seed)
        shape.replication = UInt32(dice.element(of: [1, 1, 2, 2, 3]))
        if losesOneWorker {
            shape.losesOneWorker = true
            shape.replication = 2
            shape.workers = dice.number(in: 2...4)
            shape.hasMisfortunes = true
        }
        shape.change(membership, &dice)
        if losesState {
            shape.losesState = true
            shape.hasMisfortunes = false
        }
        if shape.hasMisfortunes { shape.disks = disks }
        shape.changesIndexes = changesIndexes
        self.shape = shape
        fate = dice
        self.dice = SplitMix64(seed: seed &* 3)
        strangers = SplitMix64(seed: seed &* 5)
        passing = PassingIndexes(dice: SplitMix64(seed: seed &* 11))
        clocks = SimulatedClocks(dice: SplitMix64(seed: seed &* 7))
        self.random = random
        trace = Trace(isOn: isTraced)
        broker = SimulatedBroker(core: nil, disk: ClusterState(clusterID: seed).encoded)
        workers = (0..<shape.workers).map { SimulatedWorker(name: WorkerID("worker\($0)")) }
        let start = now
        clients = (0..<shape.clients).map { number in
            SimulatedClient(
                number: number,
                core: ClientCore(
                    name: "client\(number)", bootID: UInt64(number), software: "simulation",
                    endpoint: "broker", at: start))
        }
    }

    /// Runs to the end, or to the first broken invariant.
    mutating func run() {
        begin()
        let unrestEnds = now + shape.unrest
        agenda.add(.calm, at: unrestEnds)
        run(until: unrestEnds + .seconds(1))
        run(until: now + .seconds(120)) { $0.isIdle }
        // Longer than any silence that ends a session.
        run(until: now + .seconds(7))
        expectIdle()
        askForEverything()
        run(until: now + .seconds(60)) { $0.isIdle }
        expectIdle()
        expectFinalAnswers()
        expectFollowedAnswers()
        run(until: now + .seconds(20))
        expectNothingLeft()
    }

    private mutating func begin() {
        start(.broker)
        for number in workers.indices { start(.worker(number)) }
        for number in clients.indices {
            agenda.add(.connect(.client(number), .control, boot: 0), at: now)
            agenda.add(.tick(.client(number), boot: 0), at: now + .milliseconds(3))
            agenda.add(.act(client: number), at: now + .milliseconds(10))
        }
        planMembership()
        if shape.losesState { agenda.add(.forget, at: now + dice.milliseconds(900...4_000)) }
        if shape.changesIndexes { agenda.add(.changeIndexes, at: now + .milliseconds(600)) }
        if shape.hasMisfortunes { agenda.add(.misfortune, at: now + .milliseconds(300)) }
        if shape.disks == .faulty, shape.hasMishaps {
            agenda.add(.diskFault, at: now + .milliseconds(900))
            agenda.add(.clockJump, at: now + .milliseconds(700))
            store.isUsed = dice.chance(40)
            if store.isUsed { agenda.add(.copyIndex, at: now + .milliseconds(1_500)) }
        }
    }

    private mutating func run(
        until end: Instant, orWhen isDone: (Simulation) -> Bool = { _ in false }
    ) {
        while violation == nil, now < end, let entry = agenda.next() {
            precondition(entry.at >= now, "time ran backwards to \(entry.at)")
            now = entry.at
            tally.steps += 1
            perform(entry.occurrence)
            if tally.steps % 16 == 0 { checkAlways() }
            if tally.steps % 64 == 0, isDone(self) { return }
        }
    }

    private mutating func perform(_ occurrence: Occurrence) {
        if let process = process(of: occurrence), let until = pausedUntil(process), until > now {
            return agenda.add(occurrence, at: until)
        }
        switch occurrence {
        case .arrival(let message, let connection, let toBroker):
            arrive(message, on: connection, toBroker: toBroker)
        case .probe(let connection):
            guard network[connection].delivers(at: now),
                network[connection].brokerBoot == broker.boot
            else { return }
            tell(.probed(from: network[connection].address))
        case .connect(let process, let lane, let boot):
            connect(process, lane, boot: boot)
        case .tick(let process, let boot):
            tick(process, boot: boot)
        case .report(let worker, let boot, let event):
            guard workers[worker].boot == boot else { return }
            tell(worker, event)
        case .journal(let worker, let boot):
            guard workers[worker].boot == boot else { return }
            journal(worker)
        case .written(let boot, let isDurable):
            guard broker.boot == boot else { return }
            finishWriting(isDurable: isDurable)
        case .drain(let connection): drain(connection)
        case .start(let process): start(process)
        case .mend(let worker): mend(worker)
        case .told(let worker, let boot, let message):
            guard workers[worker].boot == boot, workers[worker].core != nil else { return }
            send(message, from: .worker(worker), lane: .control)
        case .copied(let worker, let boot, let order):
            guard workers[worker].boot == boot else { return }
            finishCopy(order, worker)
        case .act(let client): act(client)
        case .dropped(let worker, let boot, let order):
            guard workers[worker].boot == boot else { return }
            finishDrop(order, worker)
        case .membership(let change): carryOut(change)
        case .misfortune: strike()
        case .namesake(let worker, let hasDirectory, let tries):
            greetAs(worker, hasDirectory: hasDirectory, tries: tries)
        case .clockJump: setClock()
        case .diskFault: strikeDisk()
        case .copyIndex: copyIndex()
        case .changeIndexes: changeIndexes()
        case .stored(let worker, let boot, let order, let shard):
            guard workers[worker].boot == boot, workers[worker].core != nil else { return }
            finishStoring(order, shard, worker)
        case .heal(let worker): heal(worker)
        case .wreck(let worker, let boot):
            if workers[worker].boot == boot { crashWorker(worker) }
        case .forget: forgetState()
        case .remember: rememberState()
        case .tidy: tidy()
        case .calm: calmDown()
        }
    }

    private func process(of occurrence: Occurrence) -> ProcessName? {
        switch occurrence {
        case .arrival(_, let connection, let toBroker):
            toBroker ? .broker : network[connection].peer
        case .probe, .written, .drain, .namesake: .broker
        case .connect(let process, _, _), .tick(let process, _): process
        case .report(let worker, _, _), .journal(let worker, _), .copied(let worker, _, _),
            .told(let worker, _, _), .dropped(let worker, _, _), .stored(let worker, _, _, _):
            .worker(worker)
        case .act(let client): .client(client)
        case .start, .mend, .misfortune, .clockJump, .calm, .membership, .diskFault, .heal,
            .wreck, .copyIndex, .changeIndexes, .forget, .remember, .tidy:
            nil
        }
    }

    private func pausedUntil(_ process: ProcessName) -> Instant? {
        switch process {
        case .broker: broker.pausedUntil
        case .worker(let number): workers[number].pausedUntil
        case .client(let number): clients[number].pausedUntil
        }
    }

    private mutating func tick(_ process: ProcessName, boot: Int) {
        let interval = Duration.milliseconds(200)
        switch process {
        case .broker:
            guard broker.boot == boot, broker.core != nil else { return }
            tell(.tick)
        case .worker(let number):
            guard workers[number].boot == boot, workers[number].core != nil else { return }
            if random.chance(20) {
                tell(number, .vitals(residentBytes: 1, workers[number].inventory))
            }
            tell(number, .clocks(moment(ofClockAhead: clocks.workers[number] ?? 0)))
            tell(number, .tick)
        case .client(let number):
            tell(number, client: .tick)
        }
        agenda.add(.tick(process, boot: boot), at: now + interval)
    }

    mutating func violate(_ invariant: StreamInvariant, _ text: String) {
        guard violation == nil else { return }
        violation = "\(invariant): \(text)"
        trace.note(now, "VIOLATION of \(invariant) (\(invariant.promise)): \(text)")
    }
}
