import FresnelModel
import FresnelWire

@testable import FresnelCluster

/// A broker with one worker that sends whatever it is allowed to, and one client whose socket takes
/// few messages; what does not fit waits in an outbox, as in the broker's loop.
struct SlowClientHarness {
    static let lane = address(2, .client, .data)
    private(set) var core: BrokerCore
    private var due = EffectQueue<BrokerEffect>()
    private(set) var outbox: Outbox
    /// What stands in the client's socket, unread.
    private(set) var socket: [Message] = []
    private let capacity: Int
    /// What the worker was granted and has sent.
    private(set) var window = CreditWindow(items: 0, bytes: 0)
    private var part = Envelope()
    private var nextHit = 0
    private let hits: Int
    private var hasReported = false

    init(hits: Int, capacity: Int = 4, outboxBytes: Int = Limits.outboxBytes) throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        core = broker.core
        outbox = Outbox(limitBytes: outboxBytes)
        self.hits = hits
        self.capacity = capacity
    }

    /// Everything that the client has not read, in bytes.
    var unreadBytes: Int {
        socket.reduce(0) { $0 + ($1.payload?.count ?? 0) } + outbox.byteCount(for: Self.lane)
    }

    mutating func decide(_ event: BrokerEvent) {
        guard due.add(core.decide(event, at: moment(1))) else { return }
        while let effect = due.next() {
            guard case .send(let message, let address) = effect else { continue }
            if address.side == .worker { note(message) }
            if address == Self.lane { send(message) }
        }
    }

    /// Lets the worker send until its credit or its hits are used up.
    mutating func work() {
        while nextHit < hits, window.items > 0, window.bytes >= Limits.hitBatchBytes {
            var writer = HitBatchWriter()
            let key = "\(nextHit + 100_000)"
            writer.append(key: Array(key.utf8), body: [UInt8](repeating: 7, count: 60_000))
            var found = WireFound()
            found.items = 1
            let payload = writer.bytes()
            _ = window.use(items: 1, bytes: UInt64(payload.count))
            var envelope = part
            envelope.sequence = UInt64(nextHit)
            nextHit += 1
            receive(.found(found), envelope, payload: payload)
        }
        guard nextHit == hits, !hasReported else { return }
        hasReported = true
        var done = WirePartDone()
        done.shards = [report(0, found: UInt64(hits))]
        receive(.partDone(done), part)
    }

    /// The client reads one message.
    mutating func read() -> Message? {
        guard !socket.isEmpty else { return nil }
        let message = socket.removeFirst()
        guard outbox.isWaiting(for: Self.lane) else { return message }
        var taken: [Message] = []
        let room = capacity - socket.count
        let verdict = outbox.flush(Self.lane) { waiting in
            guard taken.count < room else { return .full }
            taken.append(waiting)
            return .sent
        }
        socket += taken
        if verdict == .sent { decide(.drained(Self.lane)) }
        return message
    }

    private mutating func receive(
        _ command: Command, _ envelope: Envelope, payload: [UInt8]? = nil
    ) {
        let message = Message(envelope, command, payload: payload)
        decide(.received(message, from: address(1, .worker, .data)))
    }

    private mutating func note(_ message: Message) {
        switch message.command {
        case .subquery(let subquery):
            part = Envelope(id: message.envelope.id, part: message.envelope.part)
            window.grant(items: subquery.search.creditItems, bytes: subquery.search.creditBytes)
        case .credit(let credit): window.grant(items: credit.items, bytes: credit.bytes)
        default: break
        }
    }

    private mutating func send(_ message: Message) {
        guard socket.count >= capacity || outbox.isWaiting(for: Self.lane) else {
            return socket.append(message)
        }
        let fits = outbox.append(message, for: Self.lane)
        decide(fits ? .stalled(Self.lane) : .congested(Self.lane))
    }
}
