import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import ZeroMQ

/// One client: its session, and the query it waits for.
struct BareClient {
    var session: PeerSession
    let control: SocketID
    var data: SocketID?
    /// The query that is asked, or asked next.
    var place: Int
    private(set) var id: RequestID
    /// When it was asked: monotonic nanoseconds.
    private(set) var started: Int64 = 0
    /// Hits that came of it.
    var hits: UInt64 = 0
    private var window: UInt64 = 0
    private var granted: UInt64 = 0

    init(number: Int, control: SocketID, place: Int, at now: Instant) {
        var hello = WireHello()
        hello.minimumMajor = UInt32(Header.major)
        hello.maximumMajor = UInt32(Header.major)
        hello.role = .client
        hello.name = "bare\(number)"
        hello.bootID = SystemRandom().next()
        hello.software = "fresnel-bench-served"
        session = PeerSession(hello: hello, at: now)
        id = RequestID(high: SystemRandom().next() | 1, low: 0)
        self.control = control
        self.place = place
    }

    /// Begins a query; returns its id.
    mutating func ask(_ question: BareQuestion, at now: Int64) -> RequestID {
        id = RequestID(high: id.high, low: id.low + 1)
        started = now
        hits = 0
        window = question.credit
        granted = question.credit
        return id
    }

    /// Counts hits; returns the new totals when half of the window is used up.
    mutating func take(_ items: UInt64) -> WireCredit? {
        hits += items
        guard granted < hits + (window + 1) / 2 else { return nil }
        granted = hits + window
        var credit = WireCredit()
        credit.items = granted
        credit.bytes = .max
        return credit
    }
}
