import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("Parts that are applied together")
struct PropertyPartGroupTests {
    @Test("are what they are one by one, at every sequence number", arguments: 0..<12)
    func together(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(900 + round)
        var chance = MatchingChance(seed: seed)
        let (single, grouped) = (try Self.replica(), try Self.replica())
        var numbered = 0
        var segments = (single: 0, grouped: 0)
        for turn in 1...6 {
            // Once there are relations nothing is put together: they come late.
            let parts = try Self.parts(
                2 + chance.below(6), after: single.lastSequence, &numbered, &chance,
                kinds: turn < 4 ? 4 : 5)
            let expected = parts.map { single.apply($0) }.map(Self.outcome)
            let found = grouped.apply(parts).map(Self.outcome)
            #expect(found == expected && !found.contains(nil), "seed \(seed) turn \(turn)")
            for part in parts {
                let now = part.stampedAt
                let (one, other) = (single.snapshot, grouped.snapshot)
                #expect(
                    one.contentDigest(at: part.sequence, now: now)
                        == other.contentDigest(at: part.sequence, now: now),
                    "seed \(seed) turn \(turn) part \(part.sequence.value)")
            }
            #expect(single.lastSequence == grouped.lastSequence)
            segments = (single.snapshot.segments.count, grouped.snapshot.segments.count)
        }
        #expect(segments.grouped < segments.single, "seed \(seed): nothing was put together")
    }

    @Test("end at a gap: what is behind it changes nothing")
    func gap() throws {
        var chance = MatchingChance(seed: 1)
        var numbered = 0
        let replica = try Self.replica()
        var parts = try Self.parts(3, after: .zero, &numbered, &chance)
        parts.remove(at: 1)
        let results = replica.apply(parts)
        #expect(Self.outcome(results[0]) != nil && Self.outcome(results[1]) == nil)
        #expect(replica.lastSequence == parts[0].sequence)
    }

    @Test("are one segment where they only add documents, and say what came again")
    func repeated() throws {
        var chance = MatchingChance(seed: 2)
        var numbered = 0
        let replica = try Self.replica()
        var parts = try Self.parts(4, after: .zero, &numbered, &chance, kinds: 1)
        parts[2].batch = parts[0].batch
        parts[2].operations = parts[0].operations
        parts[2].payload = parts[0].payload
        let outcomes = replica.apply(parts).map(Self.outcome)
        #expect(outcomes.map { $0?.wasApplied } == [true, true, false, true])
        #expect(outcomes[2]?.sequence == parts[0].sequence)
        #expect(replica.snapshot.segments.count == 1)
        #expect(replica.lastSequence == parts[3].sequence)
    }

    @Test("are seen once they are wanted, and leave no trace where they are not", arguments: 0..<6)
    func unwanted(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(950 + round)
        var chance = MatchingChance(seed: seed)
        let (plain, asking) = (try Self.replica(), try Self.replica())
        var numbered = 0
        for turn in 1...6 {
            let last = plain.lastSequence
            let parts = try Self.parts(2 + chance.below(4), after: last, &numbered, &chance)
            let now = try #require(parts.last).stampedAt
            let digest = asking.snapshot.contentDigest(at: last, now: now)
            let hint: Comment = "seed \(seed) turn \(turn)"
            func isUnchanged() -> Bool {
                asking.lastSequence == last
                    && asking.snapshot.contentDigest(at: last, now: now) == digest
            }
            var asked = 0
            let refused = asking.apply(parts) {
                asked += 1
                #expect(isUnchanged(), hint)
                return false
            }
            #expect(refused == nil && asked == 1 && isUnchanged(), hint)
            #expect(parts.allSatisfy { asking.outcome(of: $0.batch) == nil }, hint)
            #expect(asking.holdsRelated == plain.holdsRelated, hint)
            let before = plain.snapshot.segments.count
            let expected = plain.apply(parts).map(Self.outcome)
            let kind = chance.below(4)
            var meanwhile = 0
            let applied = asking.apply(parts) {
                Self.disturb(asking, kind, now)
                #expect(isUnchanged(), hint)
                meanwhile = asking.snapshot.segments.count
                return true
            }
            // What was merged meanwhile stays so.
            #expect(
                asking.snapshot.segments.count - meanwhile
                    == plain.snapshot.segments.count - before, hint)
            let found = try #require(applied).map(Self.outcome)
            #expect(found == expected && !found.contains(nil), hint)
            let newest = plain.lastSequence
            #expect(
                plain.snapshot.contentDigest(at: newest, now: now)
                    == asking.snapshot.contentDigest(at: newest, now: now), hint)
        }
    }

    /// What other threads do to a replica while its writer waits for the disk.
    private static func disturb(_ replica: ReplicaIndex, _ kind: Int, _ now: Timestamp) {
        do {
            var policy = MergePolicy()
            policy.tinyWidth = 2
            switch kind {
            case 0: break
            case 1: try replica.seal()
            case 2: _ = try replica.merge(now: now, policy: policy)
            default: #expect(replica.copy().sequence == replica.lastSequence)
            }
        } catch {
            Issue.record("\(error)")
        }
    }

    private static func outcome(_ result: PartResult) -> PartOutcome? {
        guard case .applied(let outcome) = result else { return nil }
        return outcome
    }

    static func replica(
        _ storage: any Storage = MemoryStorage(), isReadOnly: Bool = false
    ) throws -> ReplicaIndex {
        let schema = try MatchingChance.schema()
        return try ReplicaIndex(
            opening: "/data/default/0",
            settings: ReplicaSettings(
                index: "default", shard: ShardID(0), shardCount: 1,
                customKeys: schema.sortedCustomKeys, retention: .standard),
            environment: Environment(
                time: ManualTime(unixSeconds: 978_307_200 + 86_400),
                chance: SeededRandom(seed: 1), storage: storage), isReadOnly: isReadOnly)
    }

    /// Parts that follow one another: new documents alone, documents that are there already, and
    /// whatever else a part can hold.
    static func parts(
        _ count: Int, after last: SequenceNumber, _ numbered: inout Int,
        _ chance: inout MatchingChance, kinds: Int = 5
    ) throws -> [PartInput] {
        var parts: [PartInput] = []
        var previous = last
        for _ in 0..<count {
            let sequence = previous.next
            let now = Timestamp(wholeSeconds: 86_400 + Int64(sequence.value) * 3600)
            let kind = chance.below(kinds)
            var builder = PutBuilder(WirePut())
            for _ in 0..<6 {
                numbered += 1
                let operation: BatchOperation =
                    switch kind {
                    case 0...2: .index(chance.document("n\(numbered)"))
                    case 3: .index(chance.document("d\(chance.below(20))"))
                    default: PropertyReplicaTests.operation(&chance, at: now)
                    }
                // Only brokers send these, and not in the parts of a batch.
                if case .supersede = operation { continue }
                #expect(try builder.append(operation))
            }
            parts.append(
                PartInput(
                    sequence: sequence, previous: previous,
                    batch: BatchIdentity(client: 7, number: sequence.value),
                    operations: builder.message.operations, payload: builder.payload,
                    stampedAt: now, context: QueryContext(now: now)))
            previous = sequence
        }
        return parts
    }
}
