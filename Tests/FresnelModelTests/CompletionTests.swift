import FresnelModel
import Testing

struct CompletionTests {
    private func report(
        _ shard: UInt32, _ status: ShardStatus, searched: UInt64 = 10, owned: UInt64 = 10
    ) -> ShardReport {
        var report = ShardReport(index: .standard, shard: ShardID(shard), status: status)
        report.searched = searched
        report.owned = owned
        report.found = 2
        return report
    }

    @Test("An answer is complete when every shard was searched whole and all was delivered")
    func complete() {
        let shards = [report(1, .complete), report(0, .complete)]
        let status = Completion.verdict(.delivered, shards: shards, coverage: .all)
        let completion = Completion(status: status, shards: shards)
        #expect(status == .complete && completion.isComplete)
        #expect(completion.shards.map(\.shard.number) == [0, 1])
        #expect(completion.found == 4 && completion.searched == 20 && completion.owned == 20)
    }

    @Test("Counts that no index can have add up to the largest number, and to no crash")
    func impossibleCounts() {
        var huge = report(0, .complete, searched: .max, owned: .max)
        huge.found = .max
        let completion = Completion(status: .failed, shards: [huge, report(1, .complete)])
        #expect(completion.found == .max && completion.searched == .max && completion.owned == .max)
    }

    @Test(
        "One shard that was not searched whole is enough to make an answer incomplete",
        arguments: ShardStatus.allCases.filter { $0 != .complete })
    func incomplete(status: ShardStatus) {
        let shards = [report(0, .complete), report(1, status)]
        let verdict = Completion.verdict(.delivered, shards: shards, coverage: .any)
        #expect(verdict == (status == .deadline ? .deadline : .incomplete))
        #expect(!Completion(status: verdict, shards: shards).isComplete)
    }

    @Test("A shard that claims to be complete but left documents out is not whole")
    func partial() {
        let shards = [report(0, .complete, searched: 9)]
        let verdict = Completion.verdict(.delivered, shards: shards, coverage: .any)
        #expect(verdict == .failed)
        #expect(!Completion(status: .complete, shards: shards).isComplete)
    }

    @Test("An answer below the demanded coverage has failed")
    func coverage() {
        let shards = [report(0, .complete), report(1, .unreachable)]
        #expect(Completion.verdict(.delivered, shards: shards, coverage: .all) == .failed)
        let half = SearchCoverage.fraction(0.5)
        #expect(Completion.verdict(.delivered, shards: shards, coverage: half) == .incomplete)
        let most = SearchCoverage.fraction(0.9)
        #expect(Completion.verdict(.delivered, shards: shards, coverage: most) == .failed)
    }

    @Test(
        "Hits that were not delivered make an answer incomplete, whatever the shards say",
        arguments: [
            (.cancelled, .cancelled), (.deadline, .deadline), (.failed, .failed),
        ] as [(Completion.Ending, Completion.Status)])
    func endings(ending: Completion.Ending, status: Completion.Status) {
        let shards = [report(0, .complete)]
        #expect(Completion.verdict(ending, shards: shards, coverage: .any) == status)
    }

    @Test("A search of no shards is complete: there was nothing to leave out")
    func empty() {
        #expect(Completion.verdict(.delivered, shards: [], coverage: .all) == .complete)
    }
}
