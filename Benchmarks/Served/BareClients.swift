import BenchmarkWorkload
import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import ZeroMQ

// One thread with the sockets of all clients. It says HELLO and JOIN and answers PING as the
// library does; what the library does for an application (decoding hits, handing them to tasks,
// asking again what was refused) is left out, as in the programs that ask the peers.

/// Many clients' sockets, and the query that each of them waits for.
final class BareClients: LoopHandler {
    /// Nobody posts anything.
    enum Mail: Sendable {}

    /// What is asked, and for how long.
    struct Plan: Sendable {
        let questions: [BareQuestion]
        let clients: Int
        /// Nanoseconds that are not counted.
        let warming: Int64
        /// Nanoseconds that are counted.
        let lasting: Int64
    }

    private let plan: Plan
    private let poller: Poller
    private let context: Context
    private let onBegin: @Sendable () -> Void
    private let onEnd: @Sendable (Result<Share, BenchmarkError>) -> Void
    private let clock = SystemTime()
    private var clients: [BareClient] = []
    /// The client behind each socket.
    private var owners: [SocketID: Int] = [:]
    private var share = Share()
    /// When counting begins; nil until all clients have their session.
    private var begin: Int64?
    private var hasBegun = false
    /// Clients that ask no more, as the time is over.
    private var idle = 0
    private var isOver = false
    private var nextTick: Int64 = 0

    init(
        _ plan: Plan, endpoint: Endpoint, poller: Poller, context: Context,
        onBegin: @escaping @Sendable () -> Void,
        onEnd: @escaping @Sendable (Result<Share, BenchmarkError>) -> Void
    ) throws(ZeroMQError) {
        self.plan = plan
        self.poller = poller
        self.context = context
        self.onBegin = onBegin
        self.onEnd = onEnd
        for number in 0..<plan.clients {
            let control = try open(endpoint, for: .control)
            owners[control] = number
            clients.append(
                BareClient(
                    number: number, control: control,
                    place: number * plan.questions.count / plan.clients,
                    at: Instant(nanoseconds: clock.monotonicNanoseconds())))
        }
    }

    func receive(_ mail: Mail) {}

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
        guard let number = owners[socket], case .message(let received) = reception else { return }
        let message: Message
        do throws(WireError) {
            message = try Message(frames: received.frames.map { $0.copyBytes() })
        } catch .probe {
            return
        } catch {
            return end(.failure(.wrongAnswer("the broker sent what cannot be read: \(error)")))
        }
        let lane: Lane = socket == clients[number].control ? .control : .data
        if let actions = clients[number].session.receive(message, lane: lane, at: now) {
            return try perform(actions, for: number)
        }
        switch message.command {
        case .ping:
            try send(Message(Envelope(), .pong(WirePulse())), of: number, on: .control)
        case .found(let found):
            try take(found, of: number)
        case .done(let done):
            clients[number].hits += done.last.items
            try finish(done, of: number)
        case .busy(let failure), .error(let failure):
            end(.failure(.wrongAnswer("a query was refused: \(failure.message)")))
        default:
            break
        }
    }

    func finishTurn() throws(ZeroMQError) -> Duration? {
        let current = clock.monotonicNanoseconds()
        if current >= nextTick {
            nextTick = current + 50_000_000
            for number in clients.indices {
                try perform(clients[number].session.tick(at: now), for: number)
            }
        }
        return .nanoseconds(max(1_000_000, nextTick - current))
    }

    func stop() throws(ZeroMQError) {
        for number in clients.indices {
            try send(Message(Envelope(), .goodbye), of: number, on: .control)
        }
    }

    private var now: Instant { Instant(nanoseconds: clock.monotonicNanoseconds()) }

    private func open(
        _ endpoint: Endpoint, for traffic: SocketSpecification.Traffic
    ) throws(ZeroMQError) -> SocketID {
        var specification = SocketSpecification.dealer(for: traffic)
        specification.maximumFrameBytes = WireLimits.largestFrameBytes
        specification.linger = .milliseconds(200)
        return try poller.connect(specification, to: endpoint, in: context)
    }

    private func perform(
        _ actions: [PeerSession.Action], for number: Int
    ) throws(ZeroMQError) {
        for action in actions {
            switch action {
            case .send(let message, let lane):
                try send(message, of: number, on: lane)
            case .connectData(let endpoint):
                let data = try open(try Endpoint(endpoint), for: .bulk)
                owners[data] = number
                clients[number].data = data
            case .opened:
                guard clients.allSatisfy({ $0.session.state == .open }) else { continue }
                begin = clock.monotonicNanoseconds() + plan.warming
                for number in clients.indices { try ask(number) }
            case .lost, .rejected:
                end(.failure(.wrongAnswer("client \(number) lost its session: \(action)")))
            }
        }
    }

    private func send(
        _ message: Message, of number: Int, on lane: Lane
    ) throws(ZeroMQError) {
        let client = clients[number]
        guard let socket = lane == .control ? client.control : client.data else { return }
        // HELLO and JOIN are repeated until a connection takes them.
        _ = try poller.send(message.frames().map { FrameBytes.array($0) }, on: socket)
    }

    /// Asks a client's next query, if there is time left.
    private func ask(_ number: Int) throws(ZeroMQError) {
        guard let begin, !isOver else { return }
        let started = clock.monotonicNanoseconds()
        if started >= begin, !hasBegun {
            hasBegun = true
            onBegin()
        }
        guard started < begin + plan.lasting else {
            idle += 1
            return idle < clients.count ? () : end(.success(share))
        }
        let question = plan.questions[clients[number].place]
        let id = clients[number].ask(question, at: started)
        let outcome = try poller.send(question.frames(id: id), on: clients[number].control)
        guard outcome != .sent else { return }
        end(.failure(.wrongAnswer("the broker takes no query of client \(number)")))
    }

    /// Counts hits, and grants as many again when half of what was granted is there.
    private func take(_ found: WireFound, of number: Int) throws(ZeroMQError) {
        guard let credit = clients[number].take(found.items) else { return }
        try send(
            Message(Envelope(id: clients[number].id), .credit(credit)), of: number, on: .control)
    }

    private func finish(_ done: WireDone, of number: Int) throws(ZeroMQError) {
        let client = clients[number]
        let ended = clock.monotonicNanoseconds()
        if let begin, ended >= begin, ended < begin + plan.lasting { share.countInTime() }
        if let begin, client.started >= begin {
            let query = plan.questions[client.place].query
            share.count(
                took: ended - client.started, isKept: done.kept,
                complaint: query.complaint(
                    status: done.status, found: Int(done.found), hits: Int(client.hits)))
        }
        clients[number].place = (client.place + 1) % plan.questions.count
        try ask(number)
    }

    private func end(_ result: Result<Share, BenchmarkError>) {
        guard !isOver else { return }
        isOver = true
        onEnd(result)
    }
}
