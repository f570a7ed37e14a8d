import FresnelSession
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

// The thread's side of a connection: two sockets, `ClientCore`, and the requests that wait. It
// decides nothing itself.
//
// A send that libzmq refuses is kept and tried again in the next turn, in order, unless it is HELLO
// or JOIN, which the core repeats by itself. A new HELLO ends the former session, and what was kept
// for that is thrown away: the core asks again what is still wanted.

/// Serves the sockets of one client.
final class ClientHandler: LoopHandler {
    private var core: ClientCore
    private let sockets: ClientSockets
    private let time: any TimeSource
    private let logger: Logger
    private var tickets: [RequestID: RequestTicket] = [:]
    private var unsent: [Lane: [Message]] = [:]
    private var nextTick = Instant(nanoseconds: .min)

    init(core: ClientCore, sockets: ClientSockets, time: any TimeSource, logger: Logger) {
        self.core = core
        self.sockets = sockets
        self.time = time
        self.logger = logger
    }

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
        let lane: Lane = socket == sockets.control ? .control : .data
        switch reception {
        case .oversized(let message):
            try decide(.unreadable(.frameCount(message.frameCount), lane: lane))
        case .message(let message):
            let event = Self.event(of: message, lane: lane)
            if lane == .control, case .received(let own, _) = event, PeerSession.isEcho(own) {
                logger.warning("the connection met no broker but another peer; it is made anew")
                return try sockets.reopenControl()
            }
            guard case .received(let folded, _) = event, let (hits, end) = folded.unfolded else {
                return try decide(event)
            }
            try decide(.received(hits, lane: lane))
            try decide(.received(end, lane: lane))
        }
    }

    func receive(_ mail: ClientMail) throws(ZeroMQError) {
        switch mail {
        case .request(let ticket): try start(ticket)
        case .grant(let id, let items, let bytes):
            try decide(.grant(id, items: items, bytes: bytes))
        case .cancel(let id): try decide(.cancel(id))
        }
    }

    func finishTurn() throws(ZeroMQError) -> Duration? {
        for lane in Lane.allCases { try sendAgain(on: lane) }
        let now = now
        if now >= nextTick {
            nextTick = now + tickInterval
            try decide(.tick)
        }
        return max(.milliseconds(1), nextTick - self.now)
    }

    func stop() throws(ZeroMQError) {
        try decide(.close)
    }

    /// Short while something is due: HELLO is repeated and budgets run out on ticks.
    private var tickInterval: Duration {
        core.session.state == .open && core.pendingCount == 0
            ? .milliseconds(250) : .milliseconds(50)
    }

    private var now: Instant { Instant(nanoseconds: time.monotonicNanoseconds()) }

    private func start(_ ticket: RequestTicket) throws(ZeroMQError) {
        guard tickets.count < ClientLimits.requests else {
            ticket.sink.fail(
                SearchError(
                    .tooMany,
                    "this client already waits for \(tickets.count) answers; wait for some"))
            return
        }
        tickets[ticket.id] = ticket
        // The next tick may be far away, and this request may have to wait for one.
        nextTick = min(nextTick, now + .milliseconds(50))
        try decide(ticket.event)
    }

    private static func event(of message: ReceivedMessage, lane: Lane) -> ClientEvent {
        do throws(WireError) {
            let frames = message.frames.map { $0.copyBytes() }
            return .received(try Message(frames: frames), lane: lane)
        } catch {
            return .unreadable(error, lane: lane)
        }
    }

    private func decide(_ event: ClientEvent) throws(ZeroMQError) {
        for effect in core.decide(event, at: now) {
            switch effect {
            case .send(let message, let lane): try send(message, on: lane)
            case .connectData(let endpoint): try connectData(endpoint)
            case .notify(let id, let notice): notify(id, notice)
            case .log(let level, let text):
                logger.log(level: Logger.Level(named: level.rawValue), "\(text)")
            }
        }
    }

    private func notify(_ id: RequestID, _ notice: ClientNotice) {
        tickets[id]?.sink.receive(notice)
        if notice.isLast { tickets[id] = nil }
    }

    private func connectData(_ endpoint: String) throws(ZeroMQError) {
        unsent[.data] = nil
        do throws(SearchError) {
            try sockets.checkData(endpoint)
        } catch {
            logger.error("the broker offers a data lane that cannot be used: \(error)")
            return
        }
        try sockets.connectData(endpoint)
    }

    private func send(_ message: Message, on lane: Lane) throws(ZeroMQError) {
        switch message.verb {
        case .hello:
            unsent = [:]
            sockets.closeData()
            _ = try sockets.send(message, on: lane)
        case .join, .goodbye:
            _ = try sockets.send(message, on: lane)
        default:
            let isFirst = unsent[lane]?.isEmpty ?? true
            var isSent = false
            if isFirst { isSent = try sockets.send(message, on: lane) }
            if !isSent { unsent[lane, default: []].append(message) }
        }
    }

    private func sendAgain(on lane: Lane) throws(ZeroMQError) {
        guard let waiting = unsent[lane], !waiting.isEmpty else { return }
        var sent = 0
        while sent < waiting.count, try sockets.send(waiting[sent], on: lane) { sent += 1 }
        unsent[lane]?.removeFirst(sent)
    }
}
