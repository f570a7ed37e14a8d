package import FresnelModel
package import FresnelWire

/// A peer's side of its session with the broker: HELLO, JOIN, heartbeats, coming back.
///
/// Legal transitions: `greeting → joining → open`, and from anywhere back to `greeting` when the
/// broker is silent for too long, is another process than before, does not know us, or ends the
/// session. A broker's word ends a session, never the process: it says HELLO again.
package struct PeerSession: Sendable {
    package enum State: Hashable, Sendable {
        /// HELLO is sent until WELCOME comes.
        case greeting
        /// The data lane is connected; JOIN is sent until JOINED comes.
        case joining(token: UInt64)
        case open
    }

    package enum Action: Sendable {
        case send(Message, lane: Lane)
        case connectData(endpoint: String)
        /// Both lanes stand.
        case opened
        /// What was under way with the broker is gone.
        case lost(Loss)
        /// The broker does not want this peer.
        case rejected(WireFailure)
    }

    /// Why what was under way is gone.
    package enum Loss: Hashable, Sendable {
        /// The broker is silent, or is another process, or knows this peer no more.
        case broker
        /// This process itself did nothing for so long, and the broker ended its session.
        case absence(Duration)
        /// The broker ended the session, as for another process of the same name.
        case dismissal
    }

    /// How often HELLO and JOIN are repeated while unanswered.
    static let retryInterval = Duration.milliseconds(100)

    package private(set) var state = State.greeting
    /// What WELCOME said; kept over a loss until the next one.
    package private(set) var welcome: WireWelcome?
    package var hello: WireHello
    private var heardAt: Instant
    private var triedAt: Instant?
    /// Before this no HELLO is repeated: the last one was rejected.
    private var pausedUntil: Instant?
    /// When JOIN was first sent with this token.
    private var joiningSince: Instant?
    private var lastTick: Instant
    /// The last time this process did nothing for longer than between two ticks: how long, and when
    /// it went on.
    private var absence: (length: Duration, end: Instant)?

    package init(hello: WireHello, at now: Instant) {
        self.hello = hello
        heardAt = now
        lastTick = now
    }

    /// Whether a message shows that this peer has met itself, or another peer, and no broker.
    ///
    /// Who connects again and again to a port of this machine that nobody listens on, and that the
    /// system gives to outgoing connections, is given that port as its own one day, and TCP
    /// connects it to itself. Nobody can listen there until that connection is closed.
    package static func isEcho(_ message: Message) -> Bool {
        message.verb == .hello || message.verb == .join
    }

    package var epoch: Epoch { Epoch(welcome?.epoch ?? 0) }

    /// Takes in a session verb; nil when the message is none of the session's business.
    package mutating func receive(
        _ message: Message, lane: Lane, at now: Instant
    ) -> [Action]? {
        heardAt = now
        noteAbsence(at: now)
        switch message.command {
        case .welcome(let welcome): return accept(welcome, at: now)
        case .joined: return open()
        case .challenge: return answerChallenge(on: lane, at: now)
        case .reject(let failure):
            // It answers a HELLO: what comes late says nothing of the session that stands.
            guard state == .greeting else { return [] }
            pausedUntil = now + Limits.rejectedRetry
            return [.rejected(failure)]
        case .goodbye:
            guard state != .greeting else { return [] }
            state = .greeting
            joiningSince = nil
            triedAt = now
            return [.lost(.dismissal)]
        default: return nil
        }
    }

    /// Repeats what is unanswered and gives up a broker that is silent.
    package mutating func tick(at now: Instant) -> [Action] {
        noteAbsence(at: now)
        // Our own absence is not the broker's silence.
        if now - lastTick > .seconds(1) {
            heardAt = min(now, heardAt + (now - lastTick))
            joiningSince = joiningSince.map { min(now, $0 + (now - lastTick)) }
        }
        lastTick = now
        switch state {
        case .greeting, .joining:
            // Being told again and again that the token is unknown is no progress.
            if let joiningSince, now - joiningSince > silenceLimit { return restart(at: now) }
            guard triedAt.map({ now - $0 >= Self.retryInterval }) ?? true,
                pausedUntil.map({ now >= $0 }) ?? true
            else { return [] }
            return attempt(at: now)
        case .open:
            return now - heardAt > silenceLimit ? restart(at: now) : []
        }
    }

    private mutating func noteAbsence(at now: Instant) {
        guard now - lastTick > .seconds(1) else { return }
        absence = (now - lastTick, now)
    }

    /// Who was missing: this process, if it was, for long and just now.
    private func loss(at now: Instant) -> Loss {
        guard let absence, absence.length > silenceLimit / 2, now - absence.end < silenceLimit
        else { return .broker }
        return .absence(absence.length)
    }

    private var silenceLimit: Duration {
        .milliseconds(Int64(welcome?.deadAfterMs ?? 5000))
    }

    private mutating func accept(_ welcome: WireWelcome, at now: Instant) -> [Action] {
        let isAnotherProcess = self.welcome.map { $0.incarnation != welcome.incarnation } ?? false
        let wasGreeting = state == .greeting
        // The answer to a HELLO that was repeated.
        if !wasGreeting, !isAnotherProcess, self.welcome?.sessionToken == welcome.sessionToken {
            return []
        }
        self.welcome = welcome
        pausedUntil = nil
        state = .joining(token: welcome.sessionToken)
        joiningSince = now
        var actions: [Action] = []
        if isAnotherProcess {
            actions = [.lost(.broker)]
        } else if !wasGreeting {
            actions = [.lost(loss(at: now))]
        }
        actions.append(.connectData(endpoint: welcome.dataEndpoint))
        return actions + attempt(at: now)
    }

    private mutating func open() -> [Action] {
        guard case .joining = state else { return [] }
        state = .open
        joiningSince = nil
        return [.opened]
    }

    private mutating func answerChallenge(on lane: Lane, at now: Instant) -> [Action] {
        switch (lane, state) {
        case (.data, .joining):
            return attempt(at: now)
        case (.data, .greeting):
            return []
        case (.data, .open), (.control, _):
            return restart(at: now)
        }
    }

    private mutating func restart(at now: Instant) -> [Action] {
        let wasGreeting = state == .greeting
        state = .greeting
        joiningSince = nil
        heardAt = now
        return (wasGreeting ? [] : [.lost(loss(at: now))]) + attempt(at: now)
    }

    private mutating func attempt(at now: Instant) -> [Action] {
        triedAt = now
        switch state {
        case .greeting:
            return [.send(Self.message(.hello(hello)), lane: .control)]
        case .joining(let token):
            var join = WireJoin()
            join.sessionToken = token
            return [.send(Self.message(.join(join)), lane: .data)]
        case .open:
            return []
        }
    }

    private static func message(_ command: Command) -> Message {
        Message(Envelope(), command)
    }
}

extension PeerSession.Loss: CustomStringConvertible {
    /// What happened, for the middle of a sentence.
    package var description: String {
        switch self {
        case .broker: "the broker was lost"
        case .dismissal: "the broker ended this session"
        case .absence(let length):
            "this process did nothing for \(length.components.seconds) s (was it stopped, or its "
                + "machine overloaded?), so the broker ended its session"
        }
    }
}

extension PeerSession.Action {
    /// Whether a session begins: its data lane is to be connected.
    package var connectsData: Bool {
        if case .connectData = self { true } else { false }
    }
}
