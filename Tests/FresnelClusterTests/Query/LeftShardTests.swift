import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Shards of a part that cannot be asked elsewhere")
struct LeftShardTests {
    /// Worker b can be asked for shard 0, and nobody for shard 1.
    private let replicas: QueryStream.Replicas = { key in
        guard key.shard == ShardID(0) else { return [] }
        return [
            ReplicaState(
                worker: WorkerID("b"), identity: .unknown, isInSync: true, since: Epoch(1))
        ]
    }

    /// Worker a is asked for shards 0 and 1, b for shard 2, for counts first where scores are
    /// wanted.
    private func harness(isScored: Bool) throws -> StreamHarness {
        try StreamHarness(isScored ? search("title == \"lens*\"") : search())
    }

    /// What became of shards 0, 1 and 2, once worker b has answered all that it was asked.
    private func reports(_ harness: inout StreamHarness, isScored: Bool) -> [WireShardReport] {
        for part in [1, 2] where isScored {
            harness.receive(.statisticsReply(WireStatistics()), part: part)
        }
        harness.finish(part: 1, [report(2)])
        harness.finish(part: 2, [report(0)])
        return harness.completions.first?.shards.sorted { $0.shard < $1.shard } ?? []
    }

    @Test(
        "Q-13: say what their worker answered, while it counts and after that",
        arguments: [true, false], [true, false])
    func refused(isScored: Bool, isBusy: Bool) throws {
        var harness = try harness(isScored: isScored)
        let failure = WireFailure(.busy, "its queue is full")
        harness.receive(isBusy ? .busy(failure) : .error(failure), part: 0, replicas)
        let reports = reports(&harness, isScored: isScored)
        #expect(reports.map(\.status) == [.complete, isBusy ? .shed : .failed, .complete])
        #expect(reports.map(\.message) == ["", "its queue is full", ""])
    }

    @Test("say which worker was lost, while it counts and after that", arguments: [true, false])
    func lost(isScored: Bool) throws {
        var harness = try harness(isScored: isScored)
        harness.take(harness.stream.lose(WorkerID("a"), at: at(1), replicas))
        let reports = reports(&harness, isScored: isScored)
        #expect(reports.map(\.status) == [.complete, .unreachable, .complete])
        #expect(reports.map(\.message) == ["", "worker a was lost", ""])
    }
}
