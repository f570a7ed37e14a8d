import FresnelLoad
import Testing

@Suite("When requests of a load are planned")
struct ArrivalTests {
    private func times(
        _ profile: RateProfile, _ spacing: ArrivalSchedule.Spacing, seed: UInt64 = 7
    ) -> [Double] {
        ArrivalSchedule(profile, spacing: spacing, seed: seed).map { Double($0) / 1e9 }
    }

    @Test("Evenly spaced requests lie one gap apart, the first at once")
    func constant() {
        let times = times(.constant(100, seconds: 2), .constant)
        #expect(times.count == 200)
        #expect(times[0] == 0)
        for (before, after) in zip(times, times.dropFirst()) {
            #expect(abs(after - before - 0.01) < 1e-6)
        }
    }

    @Test("Gaps of a Poisson process are exponential: mean and spread are the same")
    func poisson() {
        let times = times(.constant(1000, seconds: 20), .poisson)
        // The spread of a Poisson count is its root; five of them are never seen.
        #expect(abs(Double(times.count) - 20_000) < 5 * 20_000.0.squareRoot())
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let spread = (gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count))
            .squareRoot()
        #expect(abs(mean - 0.001) < 0.00005)
        #expect(abs(spread / mean - 1) < 0.05)
    }

    @Test("A ramp has its half of the requests when the area below it is half")
    func ramp() {
        let times = times(.ramp(from: 0, to: 1000, seconds: 10), .constant)
        #expect(times.count == 5000)
        // t² grows as the count.
        #expect(abs(times[2500] - 10 / 2.0.squareRoot()) < 0.01)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("A falling ramp ends at its end")
    func falling() {
        let times = times(.ramp(from: 1000, to: 0, seconds: 10), .constant)
        #expect(times.count == 5000)
        #expect(times.allSatisfy { $0 <= 10 })
    }

    @Test("Steps have their rates, one after the other")
    func steps() {
        let times = times(.steps([10, 100], secondsEach: 5), .constant)
        #expect(times.count { $0 < 5 } == 50)
        #expect(times.count { $0 >= 5 } == 500)
    }

    @Test("The same seed gives the same times, another one does not")
    func seeds() {
        let profile = RateProfile.constant(50, seconds: 3)
        #expect(times(profile, .poisson, seed: 3) == times(profile, .poisson, seed: 3))
        #expect(times(profile, .poisson, seed: 3) != times(profile, .poisson, seed: 4))
    }

    @Test("A recording is replayed with its gaps")
    func replay() {
        #expect(Array(ArrivalSchedule(replaying: [0, 5, 5, 900])) == [0, 5, 5, 900])
    }
}
