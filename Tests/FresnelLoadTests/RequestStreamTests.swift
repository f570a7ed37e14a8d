import FresnelModel
import FresnelSystem
import Synchronization
import Testing

@testable import FresnelLoad

@Suite("Which requests the measurements of a load make")
struct RequestStreamTests {
    /// Answers in a millisecond up to `holding` requests a second, and in one second beyond;
    /// remembers what was ordered.
    private final class Orders: LoadGenerator {
        let orders = Mutex<[LoadOrder]>([])
        let connectionCount = 2
        let leadNanoseconds: Int64 = 0
        private let holding = 100.0

        func measure(_ order: LoadOrder, observe: LoadObserver) async -> Recorder.Contents {
            orders.withLock { $0.append(order) }
            let recorder = Recorder(classes: Workload.standard.classes, seconds: order.seconds)
            let rate = order.rate ?? holding
            let latency: Int64 = rate > holding ? 1_000_000_000 : 1_000_000
            for number in 0..<Int(rate * order.seconds) {
                let planned = Int64(Double(number) / rate * 1e9)
                guard recorder.begin(most: 1) else { break }
                var record = RequestRecord(
                    place: 0, planned: planned, sent: planned, ended: planned + latency,
                    outcome: .complete)
                record.moments = [(.completion, latency)]
                recorder.end(record)
            }
            return recorder.contents
        }

        func clear() {}
    }

    private func orders(of plan: LoadPlan) async -> [LoadOrder] {
        let generator = Orders()
        let settings = LoadSession.Settings(workload: .standard)
        let session = LoadSession(
            generator, settings: settings, time: ManualTime(), observer: { _, _ in })
        _ = await session.run(plan)
        return generator.orders.withLock { $0 }
    }

    private func seeds(of plan: LoadPlan) async -> [UInt64] {
        await orders(of: plan).map { $0.seed(from: 7) }
    }

    @Test("No measurement of a load asks what another one asked, whatever its rate")
    func differ() async throws {
        let steps = await seeds(of: .steps([10, 10, 20], secondsEach: 1, .poisson))
        #expect(steps.count == 4 && Set(steps).count == 4, "\(steps)")
    }

    @Test("Neither do the search for a limit, the overload behind it, and the recovery")
    func searches() async throws {
        let objective = try Objective(parsing: "p99<50ms")
        let search = await orders(of: .saturation(objective, secondsEach: 1, .poisson))
        let labels = search.map(\.label)
        #expect(labels.suffix(3) == ["overload 1.5", "overload 3", "recovery"], "\(labels)")
        #expect(labels.count { $0.hasPrefix("search") } > 3, "\(labels)")
        #expect(Set(search.map { $0.seed(from: 7) }).count == search.count, "\(search)")
    }

    @Test("The first measurement draws from the load's seed itself, and every load the same")
    func agree() async {
        let once = await seeds(of: .steps([10, 20], secondsEach: 1, .poisson))
        #expect(await seeds(of: .steps([30, 5], secondsEach: 2, .poisson)) == once)
        #expect(once[1] == 7)
    }
}
