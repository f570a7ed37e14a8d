import FresnelIndex
import FresnelModel
import Testing

@Suite("What a replica contains, as one number")
struct PropertyContentTests {
    @Test("is that of its batches, whatever was merged, reopened or summed up", arguments: 0..<6)
    func equal(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(700 + round)
        var chance = MatchingChance(seed: seed)
        var (merged, plain) = (try ReplicaHistory(), try ReplicaHistory())
        var memory = ContentDigestMemory()
        var digests: Set<ContentDigest> = []
        for batch in 1...16 {
            let note = "seed \(seed) batch \(batch)"
            let seconds = Double(chance.below(5)) * 86_400
            merged.wait(seconds: seconds)
            plain.wait(seconds: seconds)
            let operations = (0..<8).map { _ in
                PropertyReplicaTests.operation(&chance, at: merged.now)
            }
            try merged.applyAsPart(operations, note)
            try plain.applyAsPart(operations, note)
            if batch.isMultiple(of: 3) { try merged.merge(PropertyReplicaTests.eager) }
            if batch.isMultiple(of: 7) {
                try merged.reopen()
                memory = ContentDigestMemory()
            }
            let (sequence, now) = (merged.sequence, merged.now)
            let summed = memory.digest(of: merged.replicas[0].snapshot, at: sequence, now: now)
            let fresh = merged.replicas[0].snapshot.contentDigest(at: sequence, now: now)
            let other = plain.replicas[0].snapshot.contentDigest(at: sequence, now: now)
            #expect(summed == fresh && summed == other, "\(note)")
            let read = memory.readDocuments
            _ = memory.digest(of: merged.replicas[0].snapshot, at: sequence, now: now)
            #expect(memory.readDocuments == read, "what is known is not read again")
            digests.insert(summed)
        }
        #expect(digests.count > 8)
    }
}
