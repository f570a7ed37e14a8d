import FresnelLoad
import Testing

@Suite("The search for the highest rate that holds")
struct SaturationTests {
    /// Runs a search against a system that holds up to `limit`.
    private func search(
        from start: Double, holds: (Double) -> Bool
    ) -> (found: Double?, rates: [Double]) {
        var search = SaturationSearch(startingAt: start)
        var rates: [Double] = []
        while let rate = search.next {
            rates.append(rate)
            search.take(holds: holds(rate))
        }
        return (search.holding, rates)
    }

    @Test(
        "It finds the limit to a twentieth, from below and from above",
        arguments: [1.0, 90, 5000, 100_000])
    func finds(start: Double) throws {
        let (found, rates) = search(from: start) { $0 <= 777 }
        let rate = try #require(found)
        #expect(rate <= 777 && rate * SaturationSearch.precision >= 777 / 1.001)
        #expect(rates.count <= SaturationSearch.attemptsMost)
    }

    @Test("One hiccup does not count")
    func hiccup() throws {
        var hasFailed = false
        let (found, _) = search(from: 100) { rate in
            if rate == 200, !hasFailed {
                hasFailed = true
                return false
            }
            return rate <= 1000
        }
        #expect(try #require(found) > 900)
    }

    @Test("Where nothing holds, it says so and ends")
    func nothing() {
        #expect(search(from: 1000) { _ in false }.found == nil)
    }

    @Test("Where everything holds, it ends")
    func everything() {
        #expect(search(from: 1) { _ in true }.rates.count == SaturationSearch.attemptsMost)
    }
}

@Suite("Objectives")
struct ObjectiveTests {
    @Test("Bounds are read and written again")
    func reads() throws {
        let objective = try Objective(parsing: "p99<50ms, p50<900us,errors<0.5%")
        #expect(
            objective.bounds == [
                .latency(percentile: 99, microseconds: 50_000),
                .latency(percentile: 50, microseconds: 900), .failures(0.005),
            ])
        #expect(try Objective(parsing: objective.description) == objective)
    }

    @Test(
        "What is no bound is refused with its text",
        arguments: [
            "", "p99", "p99<", "p0<1ms", "p100<1ms", "x<1ms", "p99<-1ms", "errors<0%",
            "errors<1", "p99<1ms,,p50<1ms", "p99<nan ms", "p99>1ms",
        ])
    func refuses(text: String) {
        #expect(throws: ObjectiveError.self) { try Objective(parsing: text) }
    }

    @Test("Latency and failures have to hold together")
    func holds() throws {
        var latency = LatencySummary()
        for _ in 0..<9900 { latency.record(nanoseconds: 1_000_000) }
        for _ in 0..<100 { latency.record(nanoseconds: 900_000_000) }
        func verdict(_ text: String, _ failures: Double) throws -> Objective.Verdict {
            try Objective(parsing: text).verdict(latency, failures: failures)
        }
        #expect(try verdict("p99<2ms", 0) == .holds)
        #expect(try verdict("p99.9<2ms", 0) == .missed("p99.9 900 ms"))
        #expect(try verdict("p99<2ms", 0.02) == .missed("2 % failed"))
        #expect(try verdict("p99<2ms,errors<5%", 0.02) == .holds)
    }

    @Test("A percentile that no table tells is not judged, unless it can only be missed")
    func fewAnswers() throws {
        let objective = try Objective(parsing: "p50<2ms,p99<2ms")
        var latency = LatencySummary()
        for _ in 0..<999 { latency.record(nanoseconds: 1_000_000) }
        #expect(
            objective.verdict(latency, failures: 0) == .unknown(answers: 999, needed: 1000))
        latency.record(nanoseconds: 1_000_000)
        #expect(objective.verdict(latency, failures: 0) == .holds)
        var slow = LatencySummary()
        for _ in 0..<10 { slow.record(nanoseconds: 9_000_000) }
        for _ in 0..<30 { slow.record(nanoseconds: 1_000_000) }
        #expect(objective.verdict(slow, failures: 0) == .unknown(answers: 40, needed: 1000))
        slow.record(nanoseconds: 9_000_000)
        guard case .missed = objective.verdict(slow, failures: 0) else {
            Issue.record("eleven of a thousand are beyond the bound, whatever the others are")
            return
        }
    }

    @Test("Every rate is measured for long enough to tell the percentiles of the objective")
    func longEnough() throws {
        #expect(try Objective(parsing: "p99<1ms").answersLeast == 1000)
        #expect(try Objective(parsing: "p50<1ms,p99.9<1ms").answersLeast == 10_000)
        #expect(try Objective(parsing: "errors<1%").answersLeast == 0)
        let objective = try Objective(parsing: "p99<1ms")
        for rate in [4.0, 10, 100, 1000] {
            #expect(objective.seconds(at: rate) * rate >= 1000)
        }
        #expect(objective.seconds(at: 0.1) == Objective.secondsMost)
    }
}

@Suite("The universal scalability law")
struct ScalabilityLawTests {
    @Test("It gives back the law that made the points")
    func fits() throws {
        let law = ScalabilityLaw(single: 500, contention: 0.08, coherency: 0.002)
        let fitted = try #require(
            ScalabilityLaw.fitted(
                to: [1.0, 2, 4, 8, 16].map { ($0, law.throughput(of: $0)) }))
        #expect(abs(fitted.single - 500) < 0.01)
        #expect(abs(fitted.contention - 0.08) < 1e-6)
        #expect(abs(fitted.coherency - 0.002) < 1e-6)
        #expect(abs(try #require(fitted.peak) - (0.92 / 0.002).squareRoot()) < 0.01)
    }

    @Test("No factor is negative, also when points grow faster than workers")
    func superlinear() throws {
        let law = try #require(ScalabilityLaw.fitted(to: [(1, 100), (2, 230), (4, 500)]))
        #expect(law.contention == 0 && law.coherency == 0)
    }

    @Test("Where more workers gave less, nothing waits for more than all of the work")
    func retrograde() throws {
        let law = try #require(ScalabilityLaw.fitted(to: [(1, 1802), (2, 1500)]))
        #expect(law.contention == 1 && law.coherency == 0)
    }

    @Test("One number of workers is no law")
    func single() {
        #expect(ScalabilityLaw.fitted(to: [(2, 100), (2, 110)]) == nil)
    }
}
