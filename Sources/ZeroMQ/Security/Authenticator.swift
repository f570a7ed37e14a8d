// The handler has a thread of its own, so that a busy broker does not stall handshakes, and it is
// bound before `start` returns, so that no server socket can be opened without it.

/// Decides which CURVE keys may connect to the servers of a context.
///
/// One per context. Revoking a key does not cut connections that exist: whoever holds sessions
/// must end those of the key, too.
package final class Authenticator: Sendable {
    /// How often the handler said what.
    package struct Counts: Hashable, Sendable {
        package var accepted = 0
        package var later = 0
        package var refused = 0
        /// Requests that were none; libzmq of the same version never sends any.
        package var malformed = 0
    }

    /// Where libzmq looks for the handler.
    package static let endpoint = Endpoint(.inproc(name: "zeromq.zap.01"))

    private let registry: Registry
    private let loop: EventLoop<Responder>

    private init(registry: Registry, loop: EventLoop<Responder>) {
        self.registry = registry
        self.loop = loop
    }

    /// Starts the handler; afterwards servers may bind.
    package static func start(
        in context: Context, allowing list: AllowList
    ) async throws(ZeroMQError) -> Authenticator {
        let registry = Registry(list)
        let loop = try await EventLoop<Responder>.start(
            .init(name: "authenticator")
        ) { (poller) throws(ZeroMQError) in
            try Responder(registry: registry, poller: poller, context: context)
        }
        return Authenticator(registry: registry, loop: loop)
    }

    /// Replaces the list; requests from now on are judged by the new one.
    package func replace(_ list: AllowList) {
        registry.state.withLock { $0.list = list }
    }

    package var counts: Counts { registry.state.withLock { $0.counts } }

    /// Ends the handler: from now on servers refuse every new connection.
    package func stop() async throws(ZeroMQError) {
        try await loop.stop()
    }

    fileprivate final class Registry: Sendable {
        struct State {
            var list: AllowList
            var counts = Counts()
        }

        let state: Guarded<State>

        init(_ list: AllowList) {
            state = Guarded(State(list: list))
        }

        func verdict(on request: AuthenticationRequest) -> AuthenticationVerdict {
            state.withLock { state in
                let verdict = state.list.verdict(on: request)
                switch verdict {
                case .accepted: state.counts.accepted += 1
                case .later: state.counts.later += 1
                case .refused: state.counts.refused += 1
                }
                return verdict
            }
        }
    }

    fileprivate final class Responder: LoopHandler {
        private let registry: Registry
        private let poller: Poller
        private let socket: SocketID

        init(registry: Registry, poller: Poller, context: Context) throws(ZeroMQError) {
            var specification = SocketSpecification(.reply)
            specification.maximumFrames = AuthenticationRequest.maximumFrames
            let server = try Socket(specification, in: context)
            try server.bind(Authenticator.endpoint)
            self.registry = registry
            self.poller = poller
            socket = try poller.add(server)
        }

        func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
            let answer: [FrameBytes]
            if case .message(let message) = reception,
                let request = AuthenticationRequest(
                    frames: message.frames.map { $0.copyBytes() })
            {
                answer = registry.verdict(on: request).frames(for: request.requestID)
            } else {
                registry.state.withLock { $0.counts.malformed += 1 }
                answer = AuthenticationVerdict.refused("not a request of version 1.0")
                    .frames(for: [])
            }
            // The asking session may have ended meanwhile; then nobody needs the answer.
            _ = try poller.send(answer, on: socket)
        }

        func receive(_ mail: Never) throws(ZeroMQError) {}

        func finishTurn() throws(ZeroMQError) -> Duration? { nil }

        func stop() throws(ZeroMQError) {}
    }
}
