import FresnelSystem
import Testing

@Suite("A clock that lets others run")
struct YieldingTimeTests {
    @Test("It tells the time of the clock under it")
    func same() {
        let base = ManualTime(monotonicNanoseconds: 5, unixSeconds: 7)
        let time = YieldingTime(base, every: 100)
        for step in [0, 99, 100, 1_000, 1] {
            base.advance(byNanoseconds: Int64(step))
            #expect(time.monotonicNanoseconds() == base.monotonicNanoseconds())
            #expect(time.unixSeconds() == base.unixSeconds())
        }
    }
}
