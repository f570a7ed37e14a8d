import FresnelSession
import FresnelSystem
import FresnelWire
import Logging
import Synchronization
import ZeroMQ

/// One connection to a broker: a thread with two sockets, and the way to it from any task.
final class ClientConnection: Sendable {
    /// How a client introduces itself and how long it waits.
    struct Settings: Sendable {
        var endpoint: String
        var name: String
        var connectTimeout: Duration
        var allowsPlaintext: Bool
        var retriesRefusals = true
    }

    let settings: Settings
    private let loop: EventLoop<ClientHandler>
    private let chance: any RandomSource
    /// Runs tasks on the connection's thread.
    let tasks: SocketThreadTasks
    /// Connections of this process that are open: no more of their threads stay awake for answers
    /// than there are processors.
    private static let openConnections = Atomic<Int>(0)

    private init(
        _ settings: Settings, loop: EventLoop<ClientHandler>, chance: any RandomSource
    ) {
        self.settings = settings
        self.loop = loop
        self.chance = chance
        tasks = SocketThreadTasks(loop.thread)
    }

    /// Starts the thread; whether a broker answers shows with the first request.
    static func open(
        _ settings: Settings, environment: Environment = .system
    ) async throws(SearchError) -> ClientConnection {
        let endpoint = try Endpoint.checked(
            settings.endpoint, allowsPlaintext: settings.allowsPlaintext)
        do throws(ZeroMQError) {
            let context = try Context.shared(
                seed: UInt32(truncatingIfNeeded: environment.chance.next()))
            var loopSettings = EventLoop<ClientHandler>.Settings(name: "fresnel-client")
            loopSettings.mailboxCapacity = ClientLimits.mailboxCapacity
            if openConnections.load(ordering: .relaxed) < Machine.processorCount {
                loopSettings.alertness = Alertness { YieldBackoff.shared.yield(at: $0) }
            }
            let loop = try await EventLoop<ClientHandler>.start(loopSettings) {
                (poller) throws(ZeroMQError) in
                let sockets = try ClientSockets(
                    control: endpoint, allowsPlaintext: settings.allowsPlaintext, poller: poller,
                    context: context)
                return ClientHandler(
                    core: core(settings, environment), sockets: sockets, time: environment.time,
                    logger: Logger(label: "fresnel.client"))
            }
            openConnections.add(1, ordering: .relaxed)
            return ClientConnection(settings, loop: loop, chance: environment.chance)
        } catch {
            throw SearchError(
                .remoteConnectionError, "the client cannot start: \(error)", underlying: error)
        }
    }

    private static func core(_ settings: Settings, _ environment: Environment) -> ClientCore {
        ClientCore(
            name: settings.name, bootID: environment.chance.next(), software: "FresnelClient/1",
            endpoint: settings.endpoint, connectBudget: settings.connectTimeout,
            retries: settings.retriesRefusals ? RetryBudget() : .none,
            at: Instant(nanoseconds: environment.time.monotonicNanoseconds()))
    }

    /// An id that no other request has.
    func freshID() -> RequestID {
        RequestID(high: chance.next() | 1, low: chance.next())
    }

    /// A name that nobody else has: 16 hexadecimal digits.
    func freshName() -> String {
        let digits = String(chance.next(), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Asks; `sink` hears what comes of it, and in any case how it ends.
    func submit(_ id: RequestID, _ event: ClientEvent, to sink: any NoticeSink) {
        // A ticket that is not taken ends the request when it goes.
        _ = loop.post(.request(RequestTicket(id, event, sink: sink)))
    }

    /// Raises a query's credit to these totals; false when the thread is not reached.
    func grant(_ id: RequestID, items: UInt64, bytes: UInt64) -> Bool {
        loop.post(.grant(id, items: items, bytes: bytes))
    }

    /// Cancels a query; one that has ended is none the worse.
    func cancel(_ id: RequestID) {
        // Not reached means that the thread has ended, and the query with it.
        _ = loop.post(.cancel(id))
    }

    /// Says goodbye, ends every request and waits until the sockets are closed.
    func close() async {
        Self.openConnections.subtract(1, ordering: .relaxed)
        do throws(ZeroMQError) {
            try await loop.stop()
        } catch {
            Logger(label: "fresnel.client").warning("the connection ended badly: \(error)")
        }
    }
}

extension ClientConnection {
    /// Asks for the status.
    func status(budget: Duration) async throws(SearchError) -> WireStatusReply {
        let id = freshID()
        let reply = Reply()
        submit(id, .status(id, budget: budget), to: reply)
        guard case .status(let status) = try await reply.value() else {
            throw SearchError(.malformedMessage, "the broker answered STATUS with another verb")
        }
        return status
    }

    /// Asks what moves between workers.
    func plan(_ plan: WirePlanRequest, budget: Duration) async throws(SearchError) -> WirePlanReply
    {
        let id = freshID()
        let reply = Reply()
        submit(id, .plan(id, plan, budget: budget), to: reply)
        guard case .planned(let answer) = try await reply.value() else {
            throw SearchError(.malformedMessage, "the broker answered PLAN with another verb")
        }
        return answer
    }

    /// Has an index or alias made or removed.
    func change(
        _ change: WireChangeIndexes, budget: Duration
    ) async throws(SearchError) -> WireIndexesChanged {
        let id = freshID()
        let reply = Reply()
        submit(id, .changeIndexes(id, change, budget: budget), to: reply)
        guard case .indexesChanged(let answer) = try await reply.value() else {
            throw SearchError(
                .malformedMessage, "the broker answered CHANGE_INDEXES with another verb")
        }
        return answer
    }

    /// Sends a batch; the reply is waited for later, so that several can be on their way.
    func put(_ put: WirePut, payload: [UInt8]) -> Reply {
        let id = freshID()
        let reply = Reply()
        submit(
            id, .put(id, put, payload: payload, budget: Limits.writeBudgetDefault), to: reply)
        return reply
    }

    /// Asks for the client state of an index; nil when there is none.
    func clientState(of index: IndexName) async throws(SearchError) -> [UInt8]? {
        let id = freshID()
        let reply = Reply()
        submit(
            id, .fetchState(id, index: index.text, budget: Limits.deadlineDefault), to: reply)
        guard case .state(let state) = try await reply.value() else {
            throw SearchError(.malformedMessage, "the broker answered FETCH_STATE otherwise")
        }
        return state.stateBytes
    }
}
