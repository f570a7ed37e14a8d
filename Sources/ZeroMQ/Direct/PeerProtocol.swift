// One side of a ZMTP 3.1 connection as a plain state machine: bytes and the time come in, messages
// and bytes go out. Greeting and READY are sent together, before anything of the peer has come,
// which saves a round trip. After a message whose peer is silent for an interval a PING is sent;
// whoever answers nothing for the timeout is given up. When this process itself slept, that time is
// forgiven: its peers' answers lie unread in the system's buffers.

/// What one connection has said and heard.
struct PeerProtocol {
    private enum State {
        /// The greeting so far.
        case greeting([UInt8])
        case handshake
        case open
    }

    private let kind: SocketKind
    private let heartbeat: SocketSpecification.Heartbeat?
    private let probes: Bool
    private var state = State.greeting([])
    private var reader: FrameReader
    private(set) var outflow = Outflow()
    /// Monotonic nanoseconds, like all times here.
    private var lastReceived: Int64
    private var pingedAt: Int64?
    /// What the peer asked for: to be given up after so long without traffic.
    private var timeToLive: Int64?
    private var lastTick: Int64
    private let handshakeDeadline: Int64
    /// Whether an answer to a PING waits to be written: whoever does not read gets no second one.
    private var hasPong = false

    /// A peer that is connected since now.
    init(_ specification: SocketSpecification, at now: Int64) {
        kind = specification.kind
        heartbeat = specification.heartbeat
        probes = specification.probesRouter
        reader = FrameReader(
            maximumFrameBytes: specification.maximumFrameBytes,
            maximumFrames: specification.maximumFrames)
        lastReceived = now
        lastTick = now
        handshakeDeadline = now + specification.handshakeTimeout.nanoseconds
        outflow.append(raw: Greeting.bytes)
        outflow.append(command: PeerCommand.ready(of: kind))
    }

    /// Whether both sides have introduced themselves.
    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// When to call `tick` next.
    var nextDue: Int64 {
        guard isOpen else { return handshakeDeadline }
        let interval = min(heartbeat?.interval.nanoseconds ?? .max, timeToLive ?? .max)
        return interval == .max ? .max : lastTick + interval
    }

    /// The most bytes of a message in all its frames; counts from the next frame on.
    mutating func limitMessages(to bytes: Int) { reader.maximumMessageBytes = bytes }

    /// Takes bytes that came, until so many frames are whole; whole messages go to `deliver`.
    ///
    /// - Returns: how many bytes were taken; the others are for another turn.
    @discardableResult
    mutating func take(
        _ bytes: Span<UInt8>, frames: Int = .max, at now: Int64,
        _ deliver: (FrameReader.Arrival) -> Void
    ) throws(PeerViolation) -> Int {
        lastReceived = now
        pingedAt = nil
        var place = 0
        if case .greeting(var heard) = state {
            while place < bytes.count, heard.count < Greeting.count {
                heard.append(bytes[place])
                place += 1
            }
            try Greeting.check(heard)
            state = heard.count == Greeting.count ? .handshake : .greeting(heard)
        }
        guard place < bytes.count else { return place }
        var commands: [PeerCommand] = []
        var isIntroduced = isOpen
        place += try reader.take(bytes.extracting(place..<bytes.count), frames: frames) {
            (arrival) throws(PeerViolation) in
            if case .command(let body) = arrival {
                let command = try PeerCommand(body)
                if case .ready = command { isIntroduced = true }
                commands.append(command)
            } else {
                guard isIntroduced else { throw .handshake }
                deliver(arrival)
            }
        }
        for command in commands { try obey(command) }
        return place
    }

    /// Appends a message to what is to be written.
    mutating func send(_ frames: [FrameBytes]) { outflow.append(frames) }

    /// Forgets bytes that are written.
    mutating func wrote(_ count: Int) {
        outflow.drop(count)
        if outflow.isEmpty { hasPong = false }
    }

    /// Forgets what waits to be written: nobody will take it.
    mutating func giveUpWriting() { outflow = Outflow() }

    /// Looks at the time: asks a silent peer, gives up one that stays silent.
    mutating func tick(at now: Int64) throws(PeerViolation) {
        guard isOpen else {
            if now >= handshakeDeadline { throw .silent }
            return
        }
        // Time in which nobody here looked counts against nobody.
        let gap = now - max(lastTick, nextDue)
        if gap > Self.forgivenNanoseconds {
            lastReceived = min(now, lastReceived + gap)
            pingedAt = pingedAt.map { $0 + gap }
        }
        lastTick = now
        if let timeToLive, now - lastReceived >= timeToLive { throw .silent }
        guard let heartbeat else { return }
        if let pingedAt, now - pingedAt >= heartbeat.timeout.nanoseconds { throw .silent }
        guard now - lastReceived >= heartbeat.interval.nanoseconds else { return }
        if pingedAt == nil { pingedAt = now }
        outflow.append(
            command: PeerCommand.ping(
                timeToLiveTenths: UInt16(clamping: heartbeat.timeToLive.milliseconds / 100)))
    }

    private static let forgivenNanoseconds: Int64 = 500_000_000

    private mutating func obey(_ command: PeerCommand) throws(PeerViolation) {
        switch command {
        case .ready(let socketType):
            guard case .handshake = state else { throw .handshake }
            guard kind.talks(to: socketType) else { throw .socketType(socketType) }
            state = .open
            if probes { outflow.append([[]]) }
        case .ping(let tenths, let context):
            guard isOpen else { throw .handshake }
            if tenths > 0 { timeToLive = Int64(tenths) * 100_000_000 }
            guard !hasPong else { break }
            hasPong = true
            outflow.append(command: PeerCommand.pong(context: context))
        case .refusal(let reason): throw .refused(reason)
        case .pong, .other: break
        }
    }
}

extension SocketKind {
    /// Whether a socket of this kind understands one of a type as READY names it.
    func talks(to socketType: String) -> Bool {
        switch self {
        case .router: ["DEALER", "REQ", "ROUTER"].contains(socketType)
        case .dealer: ["ROUTER", "DEALER", "REP"].contains(socketType)
        case .reply, .pair: false
        }
    }
}

extension Duration {
    /// Whole nanoseconds, for durations that a specification may have.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
