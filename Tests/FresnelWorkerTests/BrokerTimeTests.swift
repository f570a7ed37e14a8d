import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("The broker's time, as a worker knows it")
struct BrokerTimeTests {
    private static let day = 86_400.0

    @Test(
        "What is counted for the operator goes by the broker's clock, not by the worker's own",
        arguments: [0, 40 * day, -40 * day, -60 * 365 * day])
    func counted(error: Double) throws {
        let bench = try WorkerBench()
        let now = Timestamp(wallClock: bench.time.unixSeconds())
        bench.host()
        var soon = Document(uniqueIdentifier: "soon")
        soon.expirationDate = Timestamp(seconds: now.seconds + Self.day)
        let ack = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [.index(soon), WorkerBench.document("ever")]))
        #expect(!ack.hasError)
        // The machine's clock is wrong, its monotonic one and the broker's are not.
        bench.brokerTime.note(ahead: now.seconds - monotonic(bench))
        bench.time.jumpWallClock(bySeconds: error)
        #expect(bench.handler.inventory.map(\.documents) == [2])
        bench.time.advance(byNanoseconds: Int64(2 * Self.day) * 1_000_000_000)
        #expect(bench.handler.inventory.map(\.documents) == [1])
        // The broker was told otherwise: it is its clock by which queries go.
        bench.brokerTime.note(ahead: now.seconds - monotonic(bench))
        #expect(bench.handler.inventory.map(\.documents) == [2])
    }

    @Test("Before a broker has told its time, and where that is none, the machine's own counts")
    func unknown() {
        let time = ManualTime(monotonicNanoseconds: 5_000_000_000)
        let brokerTime = BrokerTime()
        #expect(brokerTime.now(time) == Timestamp(wallClock: time.unixSeconds()))
        for nonsense in [Double.nan, .infinity, -.infinity] {
            brokerTime.note(ahead: nonsense)
            #expect(brokerTime.now(time) == Timestamp(wallClock: time.unixSeconds()))
        }
        brokerTime.note(ahead: 100)
        #expect(brokerTime.now(time).seconds == 105)
    }

    private func monotonic(_ bench: WorkerBench) -> Double {
        Double(bench.time.monotonicNanoseconds()) / 1e9
    }
}
