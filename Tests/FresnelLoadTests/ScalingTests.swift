import FresnelJSON
import FresnelLoad
import FresnelSystem
import Testing

@Suite("Clusters of several sizes")
struct ScalingTests {
    private func samples(_ count: Int, workers: Int, around: UInt32) -> ServiceSamples {
        var samples = ServiceSamples()
        for number in 0..<count {
            samples.take(
                .init(
                    place: number % 2,
                    services: (0..<workers).map { UInt32(100 + (number + $0) % 100) },
                    around: around))
        }
        return samples
    }

    private func point(_ workers: Int, _ throughput: Double?) -> ScalingReport.Point {
        ScalingReport.Point(
            workers: workers, documents: 100, throughput: throughput, latency: LatencySummary(),
            services: samples(1000, workers: workers, around: UInt32(50 + 10 * workers)))
    }

    @Test("A law is fitted where throughput was at its limit, and said in words")
    func law() throws {
        let law = ScalabilityLaw(single: 100, contention: 0.1, coherency: 0.01)
        let points = [1, 2, 4, 8].map { point($0, law.throughput(of: Double($0))) }
        let report = ScalingReport(points, measure: .saturation, processors: 64, seed: 1)
        let fitted = try #require(report.laws.first)
        #expect(abs(fitted.law.contention - 0.1) < 1e-6)
        #expect(fitted.sentences.contains { $0.contains("beyond 9.49 workers more are slower") })
        #expect(report.remarks.isEmpty)
        let planned = ScalingReport(points, measure: .plannedRate, processors: 64, seed: 1)
        #expect(planned.laws.isEmpty && !planned.remarks.isEmpty)
    }

    @Test("A limit is told only where no measured point lies above it, and factors are bounded")
    func limits() throws {
        for seed in UInt64(1)...500 {
            var draws = SeededGenerator(seed: seed)
            let sizes = [1, 2, 3, 4, 8, 16].prefix(2 + Int(draws.next() % 5))
            let points = sizes.map { size in
                ScalingReport.Point(
                    workers: size, documents: 100, throughput: 1 + Double(draws.next() % 2000),
                    latency: LatencySummary(), services: ServiceSamples())
            }
            let report = ScalingReport(points, measure: .saturation, processors: 64, seed: 1)
            let law = try #require(report.laws.first, "seed \(seed)")
            #expect((0...1).contains(law.law.contention), "seed \(seed)")
            #expect(law.law.coherency >= 0, "seed \(seed)")
            let most = points.compactMap(\.throughput).max() ?? 0
            if let limit = law.limit { #expect(limit >= most, "seed \(seed)") }
            let isTold = law.sentences.contains {
                $0.contains("however many") || $0.contains("more are slower")
            }
            #expect(isTold == (law.limit != nil), "seed \(seed)")
        }
    }

    @Test("Where two workers did less than one, that is said, and no limit")
    func retrograde() throws {
        let report = ScalingReport(
            [point(1, 1802), point(2, 1260)], measure: .saturation, processors: 2, seed: 1)
        let law = try #require(report.laws.first)
        #expect(law.limit == nil)
        // The coefficients are told all the same, in what page and terminal print.
        for (place, sign) in ["(λ)", "(σ)", "κ"].enumerated() {
            #expect(law.sentences[place].contains(sign), "\(law.sentences)")
        }
        #expect(law.sentences[3].hasPrefix("2 workers gave less than 1 on this machine"))
    }

    @Test("More workers than processors, and sizes that hold no rate, are told")
    func remarks() {
        let report = ScalingReport(
            [point(1, 10), point(8, nil)], measure: .saturation, processors: 2, seed: 1)
        #expect(report.remarks.count == 2)
        #expect(report.laws.isEmpty)
    }

    @Test("A simulation takes the slowest of its draws, what is around, and what merging costs")
    func simulation() throws {
        let simulation = try #require(
            FanOutSimulation(
                samples(1000, workers: 1, around: 7), workers: 1, mergeMicroseconds: 2, seed: 3))
        let one = try #require(simulation.points.first)
        #expect((145...165).contains(one.p50) && (200...206).contains(one.p99))
        let most = try #require(simulation.points.last)
        // Of 512 draws the slowest is nearly always at the upper end.
        #expect(most.workers == 512 && (1218...1230).contains(most.p50))
        let again = FanOutSimulation(
            samples(1000, workers: 1, around: 7), workers: 1, mergeMicroseconds: 2, seed: 3)
        #expect(again?.points == simulation.points)
    }

    @Test("A simulation says that it is one, wherever it stands")
    func label() throws {
        let report = ScalingReport(
            [point(1, 10), point(2, 18)], measure: .saturation, processors: 2, seed: 1)
        let simulation = try #require(report.simulation)
        // Each worker more was 10 µs.
        #expect(abs(simulation.mergeMicroseconds - 10) < 0.01)
        #expect(simulation.text.hasPrefix("simulation, not measured"))
    }

    @Test("Too few answers are no simulation")
    func few() {
        let few = samples(FanOutSimulation.samplesLeast - 1, workers: 1, around: 1)
        #expect(FanOutSimulation(few, workers: 1, mergeMicroseconds: 0, seed: 1) == nil)
    }

    @Test("Samples of a long run are spread over all of it")
    func spread() {
        var samples = ServiceSamples()
        for number in 0..<100_000 {
            samples.take(.init(place: 0, services: [UInt32(number)], around: 0))
        }
        let kept = samples.samples.map { $0.services[0] }
        #expect((10_000...20_000).contains(kept.count))
        #expect(kept.count { $0 < 50_000 } * 10 / kept.count == 5 || kept.count % 2 == 1)
    }
}
