import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The worker's loop: two sockets to the broker, `WorkerCore` decides, threads carry out.
final class WorkerHandler: LoopHandler {
    /// What the handler needs beside its sockets.
    struct Services {
        let time: any TimeSource
        let logger: Logger
        let ingest: EventLoop<IngestHandler>
        let search: SearchPool
        /// Hands orders to the loop of copies; false when it has too much to do.
        let transfer: @Sendable (TransferEvent) -> Bool
        /// Hands a question to the thread that sums up contents; false when it has too much to do.
        let contents: @Sendable (WireCheckReplica) -> Bool
        /// Carries out an order about a store; false when there is too much to do.
        let store: @Sendable (WireStoreShard) -> Bool
        /// Removes what former restores left, but of these shards.
        let sweep: @Sendable (Set<ShardKey>) -> Void
        /// Says what merges may drop.
        let drop: @Sendable (Double?) -> Void
        let brokerTime: BrokerTime
        /// The worker's directory, for the operator.
        let directory: String
        /// Called once, when the worker is open for work.
        let announce: @Sendable () -> Void
    }

    private var core: WorkerCore
    private let poller: Poller
    private let context: Context
    private let broker: Endpoint
    private let time: any TimeSource
    private let logger: Logger
    private let ingest: EventLoop<IngestHandler>
    private var search: SearchPool
    private let transfer: @Sendable (TransferEvent) -> Bool
    private let contents: @Sendable (WireCheckReplica) -> Bool
    private let store: @Sendable (WireStoreShard) -> Bool
    private let sweep: @Sendable (Set<ShardKey>) -> Void
    private let drop: @Sendable (Double?) -> Void
    private let brokerTime: BrokerTime
    private let announce: @Sendable () -> Void
    private var readiness = Readiness()
    private var diskNotice: DiskNotice
    private var control: SocketID
    private var dataSocket: SocketID?
    private var nextTick = Instant(nanoseconds: 0)

    init(
        core: WorkerCore, broker: Endpoint, poller: Poller, context: Context, services: Services
    ) throws(ZeroMQError) {
        self.core = core
        self.broker = broker
        self.poller = poller
        self.context = context
        time = services.time
        logger = services.logger
        ingest = services.ingest
        search = services.search
        transfer = services.transfer
        contents = services.contents
        store = services.store
        sweep = services.sweep
        drop = services.drop
        brokerTime = services.brokerTime
        announce = services.announce
        diskNotice = DiskNotice(directory: services.directory)
        control = try Self.connect(.control, to: broker, poller, context)
    }

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
        let lane: Lane = socket == control ? .control : .data
        switch reception {
        case .oversized(let message):
            try decide(.unreadable(.frameCount(message.frameCount), lane: lane))
        case .message(let received):
            do {
                let message = try Message(frames: received.frames.map { $0.copyBytes() })
                if lane == .control, PeerSession.isEcho(message) { return try reopenControl() }
                try decide(.received(message, lane: lane))
                watch(message)
            } catch let error as WireError {
                try decide(.unreadable(error, lane: lane))
            } catch let error as ZeroMQError {
                throw error
            } catch {
                preconditionFailure("an error of an unknown kind: \(error)")
            }
        }
    }

    func receive(_ mail: WorkerEvent) throws(ZeroMQError) {
        search.note(mail)
        if let (level, text) = diskNotice.note(mail) { logger.log(level: level, "\(text)") }
        try decide(mail)
        if case .hosted(let inventory, _) = mail { readiness.host(inventory) }
    }

    /// Tells the copies which epochs are in force: what older ones ordered ends.
    private func tellCopies(of assignments: [WireIndexAssignment]) {
        for index in assignments {
            for (shard, epoch) in zip(index.shards, index.epochs) {
                let key = ShardKey(index: index.index, shard: ShardID(shard))
                if !transfer(.assigned(key, Epoch(epoch))) {
                    logger.error("the loop of copies is overrun: an epoch is lost")
                }
            }
        }
    }

    /// Whether the broker's word makes the worker ready, or keeps it from being so; a cancel that
    /// was carried out is told to those who trace, as the benchmark of cancels does.
    private func watch(_ message: Message) {
        switch message.command {
        case .ping where core.session.state == .open:
            if readiness.ping() { announce() }
        case .error where message.envelope.id == .session: readiness.refuse()
        case .cancel: logger.trace("cancelled \(message.envelope.id)")
        default: break
        }
    }

    func finishTurn() throws(ZeroMQError) -> Duration? {
        if now >= nextTick {
            nextTick = now + .milliseconds(50)
            let wall = Timestamp(wallClock: time.unixSeconds())
            try decide(.clocks(Moment(instant: now, wall: wall)))
            try decide(.tick)
        }
        return max(.milliseconds(1), nextTick - now)
    }

    func stop() throws(ZeroMQError) {
        try send(Message(Envelope(), .goodbye), lane: .control)
    }

    private var now: Instant { Instant(nanoseconds: time.monotonicNanoseconds()) }

    private func decide(_ event: WorkerEvent) throws(ZeroMQError) {
        for effect in core.decide(event, at: now).folded { try perform(effect) }
    }

    private func perform(_ effect: WorkerEffect) throws(ZeroMQError) {
        switch effect {
        case .send(let message, let lane):
            try send(message, lane: lane)
        case .connectData(let endpoint):
            try connectData(endpoint)
        case .host(let assignments):
            readiness.assign(assignments)
            tellCopies(of: assignments)
            if !ingest.post(.host(assignments)) {
                logger.error(
                    "the ingest thread's queue is full; the shards open with the next HELLO")
            }
        case .ingest(let ticket, let put, let sequence, let payload):
            let part = WritePart(sequence: sequence, put: put, payload: payload)
            guard !ingest.post(.ingest(ticket, part)) else { return }
            try decide(.ingested(ticket, IngestHandler.refusal(of: part)))
        case .count, .match, .produce, .narrow, .cancel, .forget:
            if !search.perform(effect), let id = effect.startedTask {
                try decide(.searchFailed(id, reason: "the search threads have too much to do"))
            }
            for report in search.takeReports() {
                search.note(report)
                try decide(report)
            }
        case .transfer(let order):
            guard !transfer(.ordered(order)) else { return }
            logger.error("the loop of copies is overrun: an order of the broker is lost")
        case .check(let question):
            // The broker asks again in a while.
            guard !contents(question) else { return }
            logger.warning("the thread that sums up contents is overrun")
        case .store(let order):
            guard !store(order) else { return }
            try decide(.stored(SnapshotHandler.refusal(of: order)))
        case .sweepRestored(let kept): sweep(kept)
        case .drop(let expiredBy): drop(expiredBy)
        case .brokerTime(let seconds): brokerTime.note(ahead: seconds)
        case .survey:
            // Nothing is assigned here by a broker of another cluster.
            readiness.refuse()
            if !ingest.post(.survey) {
                logger.error("the ingest thread's queue is full; the broker hears with a new HELLO")
            }
        case .join(let cluster):
            // Told again by the next WELCOME.
            if !ingest.post(.join(cluster: cluster)) {
                logger.error("the ingest thread's queue is full; the cluster is not noted")
            }
        case .log(let level, let text):
            logger.log(level: Logger.Level(named: level.rawValue), "\(text)")
        }
    }

    private func connectData(_ text: String) throws(ZeroMQError) {
        closeData()
        let endpoint = try Endpoint(text).reached(like: broker)
        dataSocket = try Self.connect(.data, to: endpoint, poller, context)
    }

    /// Ends the data lane, whose session is over: it would go on trying to reach the broker's port.
    private func closeData() {
        if let dataSocket { poller.close(dataSocket) }
        dataSocket = nil
    }

    /// Begins anew with a connection that met no broker.
    private func reopenControl() throws(ZeroMQError) {
        logger.warning(
            "the connection to \(broker) met no broker but another peer; it is made anew")
        poller.close(control)
        control = try Self.connect(.control, to: broker, poller, context)
    }

    private func send(_ message: Message, lane: Lane) throws(ZeroMQError) {
        if message.verb == .hello { closeData() }
        guard let socket = lane == .control ? control : dataSocket else { return }
        let frames = message.frames().map { FrameBytes.array($0) }
        switch try poller.send(frames, on: socket) {
        case .sent: break
        case .wouldBlock, .unreachable:
            // Nobody is connected: the session repeats its HELLO, and what else is lost with a
            // connection is asked for again by the broker.
            logger.debug("\(message.verb) was not sent: no connection on the \(lane.rawValue) lane")
        }
    }

    private static func connect(
        _ lane: Lane, to endpoint: Endpoint, _ poller: Poller, _ context: Context
    ) throws(ZeroMQError) -> SocketID {
        var specification = SocketSpecification.dealer(for: lane == .control ? .control : .bulk)
        specification.maximumFrameBytes = WireLimits.largestFrameBytes
        return try poller.connect(specification, to: endpoint, in: context)
    }
}

extension WorkerEffect {
    /// The task whose answer would never come if the effect were dropped.
    fileprivate var startedTask: TaskID? {
        switch self {
        case .count(let id, _, _), .match(let id, _, _), .produce(let id, _, _): id
        case .narrow, .cancel, .forget, .send, .connectData, .host, .ingest, .transfer, .check,
            .store, .sweepRestored, .drop, .brokerTime, .survey, .join, .log:
            nil
        }
    }
}
