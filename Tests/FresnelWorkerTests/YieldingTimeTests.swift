import FresnelSystem
import Synchronization
import Testing

@testable import FresnelWorker

@Suite("A clock that lets others run")
struct YieldingTimeTests {
    @Test("It tells the time of the clock under it, and yields once an interval")
    func same() {
        let base = ManualTime(monotonicNanoseconds: 5, unixSeconds: 7)
        let yields = Mutex(0)
        let backoff = YieldBackoff(
            clock: { base.monotonicNanoseconds() }, yieldTurn: { yields.withLock { $0 += 1 } })
        let time = YieldingTime(base, backoff, every: 100)
        for (step, expected) in [(0, 0), (99, 0), (100, 1), (1_000, 2), (1, 2)] {
            base.advance(byNanoseconds: Int64(step))
            #expect(time.monotonicNanoseconds() == base.monotonicNanoseconds())
            #expect(time.unixSeconds() == base.unixSeconds())
            #expect(yields.withLock { $0 } == expected)
        }
    }

    @Test("A yield that took long is told with the time after it")
    func late() {
        let base = ManualTime(monotonicNanoseconds: 0, unixSeconds: 0)
        let backoff = YieldBackoff(
            clock: { base.monotonicNanoseconds() },
            yieldTurn: { base.advance(byNanoseconds: 4_000_000) })
        let time = YieldingTime(base, backoff, every: 100)
        base.advance(byNanoseconds: 100)
        #expect(time.monotonicNanoseconds() == 4_000_100)
    }
}
