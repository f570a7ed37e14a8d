import FresnelModel
import Testing

@testable import FresnelCluster

@Suite("Admission by estimated delay")
struct AdmissionTests {
    private let first = SessionID(1)
    private let second = SessionID(2)

    /// What was measured while four queries waited for each other at 100 answers a second.
    private func measured() -> (Admission, Instant) {
        var admission = Admission()
        var now = Instant(nanoseconds: 0)
        admission.pass(to: now)
        for _ in 0..<100 {
            admission.begin(first)
            let asked = now
            now = now + .milliseconds(10)
            admission.pass(to: now)
            admission.end(first, isAnswered: true, since: asked, queued: .milliseconds(10))
        }
        return (admission, now)
    }

    @Test("Idle time does not count: who asks rarely is not taken for slow")
    func idle() {
        var admission = Admission()
        var now = Instant(nanoseconds: 0)
        for _ in 0..<100 {
            now = now + .seconds(10)
            admission.pass(to: now)
            admission.begin(first)
            let asked = now
            now = now + .milliseconds(5)
            admission.pass(to: now)
            admission.end(first, isAnswered: true, since: asked, queued: .milliseconds(5))
        }
        admission.begin(first)
        #expect(abs((admission.delay?.inSeconds ?? 0) - 0.005) < 0.0001)
        #expect(admission.retryAfter(client: second, budget: .milliseconds(20)) == nil)
    }

    @Test("The delay is what waits, at the rate of answers; half of a budget may go in it")
    func delay() throws {
        var (admission, _) = measured()
        #expect(admission.delay == .zero)
        for _ in 0..<40 { admission.begin(first) }
        let delay = try #require(admission.delay)
        #expect(abs(delay.inSeconds - 0.4) < 0.01)
        #expect(admission.retryAfter(client: first, budget: .seconds(0.9)) == nil)
        let wait = try #require(admission.retryAfter(client: first, budget: .milliseconds(200)))
        #expect(abs(wait.inSeconds - 0.3) < 0.01, "until half of the budget is enough")
        #expect(admission.retryAfter(client: first, budget: .seconds(10)) == nil)
        for _ in 0..<20 { admission.begin(first) }
        #expect(admission.retryAfter(client: first, budget: .seconds(10)) != nil, "0.6 s")
    }

    @Test("A client that has few waiting is let in where another one has filled the queue")
    func share() {
        var (admission, _) = measured()
        for _ in 0..<100 { admission.begin(first) }
        // Half of the budget is room for ten, of which each of two has five.
        let budget = Duration.milliseconds(200)
        #expect(admission.retryAfter(client: first, budget: budget) != nil)
        for _ in 0..<5 {
            #expect(admission.retryAfter(client: second, budget: budget) == nil)
            admission.begin(second)
        }
        #expect(admission.retryAfter(client: second, budget: budget) != nil)
    }

    @Test("Searching long, many at once, is no queue")
    func parallel() {
        var admission = Admission()
        var now = Instant(nanoseconds: 0)
        admission.pass(to: now)
        for _ in 0..<50 {
            for _ in 0..<16 { admission.begin(first) }
            let asked = now
            now = now + .milliseconds(200)
            admission.pass(to: now)
            for _ in 0..<16 {
                admission.end(first, isAnswered: true, since: asked, queued: .microseconds(50))
            }
        }
        for _ in 0..<15 { admission.begin(first) }
        #expect(admission.retryAfter(client: first, budget: .milliseconds(300)) == nil)
    }

    @Test("Too little evidence lets everybody in, and ends without answers are none")
    func evidence() {
        var admission = Admission()
        admission.pass(to: Instant(nanoseconds: 0))
        for number in 1...30 as ClosedRange<Int64> {
            admission.begin(first)
            admission.pass(to: Instant(nanoseconds: number * 1_000_000_000))
            admission.end(first, isAnswered: number % 3 == 0)
        }
        #expect(admission.total == 0 && admission.delay == nil)
        admission.end(first, isAnswered: true)
        #expect(admission.total == 0, "what does not wait cannot end")
    }

    @Test("What was measured long ago is forgotten by halves")
    func window() throws {
        var (admission, start) = measured()
        var now = start
        // Ten times slower.
        for _ in 0..<100 {
            admission.begin(first)
            let asked = now
            now = now + .milliseconds(100)
            admission.pass(to: now)
            admission.end(first, isAnswered: true, since: asked, queued: .milliseconds(100))
        }
        admission.begin(first)
        let delay = try #require(admission.delay)
        #expect(abs(delay.inSeconds - 0.1) < 0.02)
    }
}
