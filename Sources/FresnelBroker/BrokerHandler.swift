import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The broker's loop: sockets in, `BrokerCore` decides, sockets out.
final class BrokerHandler: LoopHandler {
    private var core: BrokerCore
    private let doors: BrokerDoors
    private let poller: Poller
    private let time: any TimeSource
    private let logger: Logger
    /// Hands a state to the writer's thread; false when it is overrun.
    private let persist: (ClusterState) -> Bool
    /// Hands a query to the log's thread; false when it is overrun.
    ///
    /// Nil where nothing is written down.
    private let record: (([UInt8]) -> Bool)?
    private var nextTick = Instant(nanoseconds: 0)
    private var due = EffectQueue<BrokerEffect>()
    private var strangers = StrangerLog()
    /// What waits for clients that do not read.
    private var outbox = Outbox()
    /// Four times per ping interval.
    private let tickInterval: Duration
    /// When the last large message came, of documents or of found ones, until what its like took
    /// has gone back to the system.
    private var largeAt: Instant?
    /// Bytes of a frame from which on a message is large.
    private static let largeBytes = 1 << 16
    /// Longer than the pauses of an import, short beside what a person waits for.
    private static let calm = Duration.seconds(5)

    init(
        core: BrokerCore, doors: BrokerDoors, poller: Poller, services: Services
    ) throws(ZeroMQError) {
        self.core = core
        self.doors = doors
        self.poller = poller
        time = services.time
        logger = services.logger
        persist = services.persist
        record = services.record
        tickInterval = min(.milliseconds(50), core.settings.timers.pingInterval / 4)
        try perform(self.core.start(at: moment))
    }

    /// What the handler needs beside its sockets.
    struct Services {
        let time: any TimeSource
        let logger: Logger
        let persist: (ClusterState) -> Bool
        let record: (([UInt8]) -> Bool)?
    }

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
        guard let door = doors.door(of: socket) else { return }
        switch reception {
        case .oversized(let message):
            let address = PeerAddress(
                side: door.side, lane: door.lane, routingID: message.routingID)
            try decide(.unreadable(.frameCount(message.frameCount), from: address))
        case .message(let message):
            let address = PeerAddress(
                side: door.side, lane: door.lane, routingID: message.routingID)
            let event = event(of: message, from: address)
            if let record { self.record(event, record) }
            if message.frames.contains(where: { $0.count >= Self.largeBytes }) {
                largeAt = moment.instant
            }
            try decide(event)
        }
    }

    /// Writes down what a client asks, before anything is decided about it.
    private func record(_ event: BrokerEvent, _ record: ([UInt8]) -> Bool) {
        guard case .received(let message, let address) = event, address.side == .client,
            case .query(let search) = message.command, message.envelope.attempt == 0
        else { return }
        // A log that cannot keep up loses lines rather than to hold up queries.
        _ = record(QueryLog.line(search, budget: message.envelope.budget, at: moment.wall))
    }

    func receive(_ mail: BrokerEvent) throws(ZeroMQError) {
        try decide(mail)
    }

    func finishTurn() throws(ZeroMQError) -> Duration? {
        let now = moment.instant
        if now >= nextTick {
            nextTick = now + tickInterval
            try decide(.tick)
            strangers.tell(doors, poller, logger, at: now)
            if let largeAt, now >= largeAt + Self.calm {
                self.largeAt = nil
                ProcessMemory.giveBackFreed()
            }
        }
        try flushOutbox()
        // The clients' sockets say nothing when they take more again, so they are tried.
        guard outbox.isEmpty else { return .milliseconds(1) }
        return max(.milliseconds(1), nextTick - moment.instant)
    }

    func stop() {
        logger.info("stopping", metadata: ["completions": "\(core.counters.completions)"])
        for case .persist(let state) in core.decide(.stopping, at: moment) where !persist(state) {
            logger.error("what the broker knew at its end was not written: the writer is overrun")
        }
    }

    private var moment: Moment {
        Moment(
            instant: Instant(nanoseconds: time.monotonicNanoseconds()),
            wall: Timestamp(wallClock: time.unixSeconds()))
    }

    private func event(of message: ReceivedMessage, from address: PeerAddress) -> BrokerEvent {
        do {
            let read = try Message(frames: message.frames.map { $0.copyBytes() })
            if case .hello = read.command, let host = host(of: address) {
                return .greeted(read, from: address, of: host)
            }
            return .received(read, from: address)
        } catch {
            return error == .probe ? .probed(from: address) : .unreadable(error, from: address)
        }
    }

    /// The machine of a peer, which its session is counted by.
    private func host(of address: PeerAddress) -> PeerHost? {
        guard let socket = doors.socket(for: address),
            let origin = poller.origin(of: address.routingID, on: socket)
        else { return nil }
        return PeerHost(name: "\(origin)", isThisMachine: origin.isThisMachine)
    }

    private func decide(_ event: BrokerEvent) throws(ZeroMQError) {
        try perform(core.decide(event, at: moment))
    }

    /// Carries effects out in their order; what a send reports is decided upon after them, or its
    /// effects would overtake the rest of these.
    private func perform(_ effects: [BrokerEffect]) throws(ZeroMQError) {
        guard due.add(effects.folded) else { return }
        while let effect = due.next() {
            switch effect {
            case .send(let message, let address):
                try send(message, to: address)
            case .confirm(let address):
                if let socket = doors.socket(for: address) {
                    poller.confirm(address.routingID, on: socket)
                }
            case .doubt(let address):
                if let socket = doors.socket(for: address) {
                    poller.doubt(address.routingID, on: socket)
                }
            case .persist(let state):
                guard !persist(state) else { continue }
                let reason = WireFailure(.storageFailed, "the writer of states is overrun")
                try decide(.persistFailed(version: state.version, reason: reason))
            case .log(let level, let text):
                logger.log(level: Logger.Level(named: level.rawValue), "\(text)")
            }
        }
    }

    private func send(_ message: Message, to address: PeerAddress) throws(ZeroMQError) {
        guard !outbox.isWaiting(for: address) else { return try wait(message, for: address) }
        switch try offer(message, to: address) {
        case .sent: break
        case .gone: try decide(.unreachable(address))
        case .full: try wait(message, for: address)
        }
    }

    /// Keeps what a client's full data socket does not take; every other socket is never full.
    private func wait(_ message: Message, for address: PeerAddress) throws(ZeroMQError) {
        guard address.side == .client, address.lane == .data,
            outbox.append(message, for: address)
        else { return try decide(.congested(address)) }
        try decide(.stalled(address))
    }

    private func flushOutbox() throws(ZeroMQError) {
        for address in outbox.addresses {
            let verdict = try outbox.flush(address) { message throws(ZeroMQError) in
                try offer(message, to: address)
            }
            switch verdict {
            case .full: break
            case .sent: try decide(.drained(address))
            case .gone: try decide(.unreachable(address))
            }
        }
    }

    private func offer(
        _ message: Message, to address: PeerAddress
    ) throws(ZeroMQError) -> Outbox.Verdict {
        guard let socket = doors.socket(for: address) else { return .gone }
        let frames = message.frames().map { FrameBytes.array($0) }
        return switch try poller.send(frames, to: address.routingID, on: socket) {
        case .sent: .sent
        case .unreachable: .gone
        case .wouldBlock: .full
        }
    }
}
