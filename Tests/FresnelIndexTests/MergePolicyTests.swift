import FresnelIndex
import Testing

struct MergePolicyTests {
    private func candidates(_ sizes: [Int]) -> [MergePolicy.Candidate] {
        sizes.map {
            MergePolicy.Candidate(
                documentCount: $0, liveCount: $0, byteCount: $0 * 1000, storedByteCount: $0 * 500)
        }
    }

    @Test(
        "Segments merge when their tier is full, tiny ones earlier",
        arguments: [
            ([], []),
            ([10, 20, 30], []),
            ([10, 20, 30, 40], [[0, 1, 2, 3]]),
            ([5000, 10, 20, 30, 40], [[1, 2, 3, 4]]),
            ([1, 1, 1, 12], [[0, 1, 2, 3]]),
            ([1, 1, 1, 13], []),
            ([1, 1, 1, 13, 1], [[0, 1, 2, 4]]),
            ([Int](repeating: 5000, count: 11), []),
            ([5000, 9000] + [Int](repeating: 5000, count: 10), [Array(0..<12)]),
            ([500_000, 400_000, 400_000], []),
        ] as [([Int], [[Int]])])
    func tiers(sizes: [Int], groups: [[Int]]) {
        #expect(MergePolicy().groups(of: candidates(sizes)) == groups)
    }

    @Test(
        "At rest all become one, but what is much larger than the others together",
        arguments: [
            ([], []),
            ([10], []),
            ([10, 20], [[0, 1]]),
            ([5000, 10, 20, 30, 40], [[1, 2, 3, 4]]),
            ([400, 10, 20, 30, 40], [[0, 1, 2, 3, 4]]),
            ([90_000, 5000, 5000, 9000, 5000], [[0, 1, 2, 3, 4]]),
            ([1, 100, 10_000], []),
            ([1, 100, 110], [[0, 1, 2]]),
            ([886_000, 1000, 1000], [[1, 2]]),
            ([900_000, 400_000, 400_000], [[1, 2]]),
        ] as [([Int], [[Int]])])
    func calm(sizes: [Int], groups: [[Int]]) {
        #expect(MergePolicy.calm.groups(of: candidates(sizes)) == groups)
    }

    @Test("While parts come large segments wait to be packed; at rest each of them is")
    func packing() {
        var large = candidates([20_000, 100, 9_000])
        for place in large.indices { large[place].isPacked = false }
        #expect(MergePolicy().groups(of: large).isEmpty)
        #expect(MergePolicy.calm.groups(of: large) == [[0, 1, 2]])
        #expect(MergePolicy.calm.groups(of: Array(large.prefix(2))) == [[0]])
        #expect(!MergePolicy().packing.packs(100_000) && MergePolicy.calm.packing.packs(20_000))
        large[0].isPacked = true
        #expect(MergePolicy.calm.groups(of: Array(large.prefix(2))).isEmpty)
    }

    @Test("Coming to rest ends, and copies what is there a few times only", arguments: 1...50)
    func calmEnds(seed: UInt64) {
        var state = seed
        var sizes: [Int] = []
        var (written, copied) = (0, 0)
        // Documents come in small groups, with a rest after each.
        for _ in 0..<400 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let size = Int(state >> 33) % 50 + 1
            sizes.append(size)
            written += size
            var rounds = 0
            while let group = MergePolicy.calm.groups(of: candidates(sizes)).first {
                let sum = group.reduce(0) { $0 + sizes[$1] }
                copied += sum
                sizes = sizes.indices.filter { !group.contains($0) }.map { sizes[$0] } + [sum]
                rounds += 1
                #expect(rounds < 10)
            }
        }
        #expect(sizes.count < 12, "seed \(seed): \(sizes)")
        #expect(copied < written * 20, "seed \(seed): \(copied) of \(written)")
    }

    @Test("A segment of many dead documents is rewritten alone, what is all dead goes at once")
    func deadDocuments() {
        var candidates = candidates([9000, 9000, 9000, 10])
        candidates[1].liveCount = 6000
        candidates[2].liveCount = 0
        candidates[3].liveCount = 0
        #expect(MergePolicy().groups(of: candidates) == [[2, 3], [1]])
        #expect(MergePolicy.tiny.groups(of: candidates) == [[2, 3]])
    }

    @Test("A writer that merges tiny segments leaves the others to the merging thread")
    func tinyAlone() {
        let candidates = candidates([Int](repeating: 5000, count: 12) + [10, 10, 10, 10])
        #expect(MergePolicy().groups(of: candidates) == [[12, 13, 14, 15], Array(0..<12)])
        #expect(MergePolicy.tiny.groups(of: candidates) == [[12, 13, 14, 15]])
    }

    /// Sizes of segments, documents copied and most segments at once, as batches come and merge.
    private func growth(to total: Int, by batch: Int) -> (sizes: [Int], copied: Int, most: Int) {
        var (sizes, copied, most) = ([Int](), 0, 0)
        for _ in 0..<total / batch {
            sizes.append(batch)
            while let group = MergePolicy().groups(of: candidates(sizes)).first {
                let merged = group.reduce(0) { $0 + sizes[$1] }
                for place in group.reversed() { sizes.remove(at: place) }
                sizes.append(merged)
                copied += merged
            }
            most = max(most, sizes.count)
        }
        return (sizes, copied, most)
    }

    @Test(
        "Documents are copied a few times, however many come at once, and few segments stand",
        arguments: [(1, 12), (10, 9), (100, 5), (1000, 3)])
    func copies(batch: Int, mostCopies: Int) {
        let total = 40_000
        let (_, copied, most) = growth(to: total, by: batch)
        #expect(copied <= mostCopies * total)
        #expect(most <= 20)
    }

    @Test(
        "Of millions of documents few segments stand, and each is copied a few times only",
        arguments: [(1000, 3.0), (1500, 3.0), (4000, 2.0), (8000, 2.0)])
    func millions(batch: Int, mostCopies: Double) {
        let total = 5_000_000
        let (sizes, copied, most) = growth(to: total, by: batch)
        #expect(Double(copied) <= mostCopies * Double(total), "\(copied) of \(total)")
        #expect(sizes.count <= 36, "\(sizes)")
        // Ten that have reached the limit, twice twelve below it, and eleven of the tier below.
        #expect(most <= 45)
    }

    @Test("Dead documents do not count for the tier of a segment")
    func deadDocumentsSink() {
        let policy = MergePolicy()
        #expect(policy.tier(ofLiveCount: 1999) == 0)
        #expect(policy.tier(ofLiveCount: 2000) == 1)
        #expect(policy.tier(ofLiveCount: 23_999) == 1)
        #expect(policy.tier(ofLiveCount: 24_000) == 2)
    }

    @Test("A merge never passes the limits of documents and bytes")
    func limits() {
        var policy = MergePolicy()
        policy.documentLimit = 100
        // Fewer than four are not worth a merge: each has a quarter of what it may give.
        #expect(policy.groups(of: candidates([30, 30, 30, 30])) == [])
        #expect(policy.groups(of: candidates([30, 20, 20, 30])) == [[0, 1, 2, 3]])
        policy.byteLimit = 99_999
        #expect(policy.groups(of: candidates([30, 20, 20, 30])) == [])
        policy.byteLimit = 100_000
        policy.storedByteLimit = 49_999
        #expect(policy.groups(of: candidates([30, 20, 20, 30])) == [])
        policy.storedByteLimit = 50_000
        #expect(policy.groups(of: candidates([30, 20, 20, 30])) == [[0, 1, 2, 3]])
    }

    @Test(
        "Of two full tiers that would pass a limit the smallest that keep it merge, at least four",
        arguments: [(48_000, 10), (125_000, 4), (126_000, 0)])
    func partsOfTiers(size: Int, count: Int) {
        #expect(MergePolicy().groups(of: candidates([Int](repeating: size, count: 23))) == [])
        let full = candidates([Int](repeating: size, count: 24))
        let groups = MergePolicy().groups(of: full)
        #expect(groups == (count > 0 ? [Array(0..<count)] : []))
        var policy = MergePolicy()
        policy.documentLimit = .max
        policy.byteLimit = size * 1000 * max(1, count)
        #expect(policy.groups(of: full) == groups)
        policy.byteLimit = .max
        policy.storedByteLimit = size * 500 * max(1, count)
        #expect(policy.groups(of: full) == groups)
    }

    @Test("A segment of few documents with many bytes keeps its tier from nothing")
    func heavySegment() {
        var candidates = candidates([Int](repeating: 5000, count: 13))
        candidates[0].storedByteCount = MergePolicy().storedByteLimit
        #expect(MergePolicy().groups(of: candidates) == [Array(1...12)])
        candidates[0].storedByteCount += 1
        #expect(MergePolicy().groups(of: candidates) == [Array(1...12)])
    }

    @Test("Packed documents count as they are when they are not packed")
    func packedBytes() {
        var packed = candidates([300_000, 300_000, 300_000])
        for place in packed.indices { packed[place].storedByteCount = 1_430_000_000 }
        #expect(MergePolicy.calm.groups(of: packed) == [[0, 1]])
    }
}
