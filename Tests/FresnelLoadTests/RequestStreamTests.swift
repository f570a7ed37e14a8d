import FresnelModel
import FresnelSystem
import Synchronization
import Testing

@testable import FresnelLoad

@Suite("Which requests the measurements of a load make")
struct RequestStreamTests {
    /// Answers nothing, and remembers what was ordered.
    private final class Orders: LoadGenerator {
        let orders = Mutex<[LoadOrder]>([])
        let connectionCount = 2
        let leadNanoseconds: Int64 = 0

        func measure(_ order: LoadOrder, observe: LoadObserver) async -> Recorder.Contents {
            orders.withLock { $0.append(order) }
            return Recorder(classes: [], seconds: order.seconds).contents
        }

        func clear() {}
    }

    private func seeds(of plan: LoadPlan) async -> [UInt64] {
        let generator = Orders()
        let settings = LoadSession.Settings(workload: .standard)
        let session = LoadSession(
            generator, settings: settings, time: ManualTime(), observer: { _, _ in })
        _ = await session.run(plan)
        return generator.orders.withLock { $0.map { $0.seed(from: 7) } }
    }

    @Test("No measurement of a load asks what another one asked, whatever its rate")
    func differ() async throws {
        let objective = try Objective(parsing: "p99<50ms")
        let steps = await seeds(of: .steps([10, 10, 20], secondsEach: 1, .poisson))
        #expect(steps.count == 4 && Set(steps).count == 4, "\(steps)")
        let search = await seeds(of: .saturation(objective, secondsEach: 1, .poisson))
        #expect(search.count > 3 && Set(search).count == search.count, "\(search)")
    }

    @Test("The first measurement draws from the load's seed itself, and every load the same")
    func agree() async {
        let once = await seeds(of: .steps([10, 20], secondsEach: 1, .poisson))
        #expect(await seeds(of: .steps([30, 5], secondsEach: 2, .poisson)) == once)
        #expect(once[1] == 7)
    }
}
