import FresnelIndex
import Testing

struct MergePolicyTests {
    private func candidates(_ sizes: [Int]) -> [MergePolicy.Candidate] {
        sizes.map {
            MergePolicy.Candidate(documentCount: $0, liveCount: $0, byteCount: $0 * 1000)
        }
    }

    @Test(
        "Segments merge when their tier is full, tiny ones earlier",
        arguments: [
            ([], []),
            ([10, 20, 30], []),
            ([10, 20, 30, 40], [[0, 1, 2, 3]]),
            ([5000, 10, 20, 30, 40], [[1, 2, 3, 4]]),
            ([5000, 5000, 5000, 5000, 5000, 5000, 5000], []),
            ([5000, 5000, 5000, 5000, 9000, 5000, 5000, 5000], [[0, 1, 2, 3, 4, 5, 6, 7]]),
            ([500_000, 400_000, 400_000], []),
        ] as [([Int], [[Int]])])
    func tiers(sizes: [Int], groups: [[Int]]) {
        #expect(MergePolicy().groups(of: candidates(sizes)) == groups)
    }

    @Test("A segment of many dead documents is rewritten alone")
    func deadDocuments() {
        var candidates = candidates([9000, 9000, 9000])
        candidates[1].liveCount = 6000
        candidates[2].liveCount = 0
        #expect(MergePolicy().groups(of: candidates) == [[1], [2]])
    }

    @Test("Dead documents do not count for the tier of a segment")
    func deadDocumentsSink() {
        let policy = MergePolicy()
        #expect(policy.tier(ofLiveCount: 1999) == 0)
        #expect(policy.tier(ofLiveCount: 2000) == 1)
        #expect(policy.tier(ofLiveCount: 16_000) == 2)
    }

    @Test("A merge never passes the limits of documents and bytes")
    func limits() {
        var policy = MergePolicy()
        policy.documentLimit = 100
        #expect(policy.groups(of: candidates([30, 30, 30, 30])) == [])
        #expect(policy.groups(of: candidates([30, 20, 20, 30])) == [[0, 1, 2, 3]])
        policy.byteLimit = 99_999
        #expect(policy.groups(of: candidates([30, 20, 20, 30])) == [])
    }
}
