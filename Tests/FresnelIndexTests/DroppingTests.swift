import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("What has expired, and when merges drop it")
struct DroppingTests {
    private let time = ManualTime(unixSeconds: 978_307_200)
    private static let day = 86_400.0

    /// A replica whose documents live for a day.
    private func replica() throws -> ReplicaIndex {
        try ReplicaIndex(
            opening: "/data",
            settings: ReplicaSettings(
                index: "default", shard: ShardID(0), shardCount: 1,
                expiration: .after(.seconds(86_400))),
            environment: Environment(
                time: time, chance: SeededRandom(seed: 1), storage: MemoryStorage()))
    }

    private func instant(_ seconds: Double) -> Timestamp {
        Timestamp(seconds: seconds) ?? Timestamp(wholeSeconds: 0)
    }

    /// Applies operations as a broker stamps them whose time is somewhere between two instants.
    private func apply(
        _ operations: [BatchOperation], to replica: ReplicaIndex, at latest: Double,
        earliest: Double? = nil
    ) throws -> PartOutcome {
        var builder = PutBuilder(WirePut())
        for operation in operations { _ = try builder.append(operation) }
        let sequence = replica.lastSequence.next
        let result = replica.apply(
            PartInput(
                sequence: sequence, previous: replica.lastSequence,
                batch: BatchIdentity(client: 7, number: sequence.value),
                operations: builder.message.operations, payload: builder.payload,
                stampedAt: instant(latest), expiredBy: earliest.map(instant),
                context: QueryContext(now: instant(latest))))
        guard case .applied(let outcome) = result else {
            Issue.record("a gap")
            return PartOutcome()
        }
        return outcome
    }

    private func lens(_ identifier: String, about related: String? = nil) -> BatchOperation {
        var document = Document(uniqueIdentifier: identifier)
        document.attributes["title"] = .string("lens")
        document.attributes["relatedUniqueIdentifier"] = related.map { .string($0) }
        return .index(document)
    }

    /// Merges as much as can be.
    private func merge(_ replica: ReplicaIndex, expiredBy seconds: Double?) throws {
        var eager = MergePolicy()
        (eager.tinyWidth, eager.tierWidth, eager.deadShare) = (2, 2, 0.01)
        eager.tinyRatio = 1 << 20
        while try replica.merge(expiredBy: seconds.map(instant), policy: eager) {}
        _ = try replica.merge(expiredBy: seconds.map(instant), policy: .calm)
    }

    private func documents(_ replica: ReplicaIndex) -> Int {
        replica.snapshot.segments.reduce(0) { $0 + $1.segment.documentCount }
    }

    private func report(_ replica: ReplicaIndex, now: Double) throws -> WireShardReport? {
        let search = MatchingCorpus.search(
            "title == \"lens\"", context: QueryContext(now: instant(now)))
        let target = SearchTarget(
            index: "default", shard: ShardID(0), snapshot: replica.snapshot,
            sequence: replica.lastSequence)
        let plan = try SearchPlan(search: search, schema: replica.snapshot.schema)
        let control = SearchControl(time: ManualTime())
        return ShardSearch(plan, counts: nil, control: control).run([target]).reports.first
    }

    @Test("Without a word of the broker nothing expired goes, whatever the clock shows")
    func noWord() throws {
        let replica = try replica()
        for name in ["a", "b", "c", "d"] { _ = try apply([lens(name)], to: replica, at: 0) }
        time.jumpWallClock(bySeconds: 40 * Self.day)
        time.advance(byNanoseconds: 3_600_000_000_000)
        try merge(replica, expiredBy: nil)
        #expect(documents(replica) == 4 && replica.snapshot.oldestInstant == -.infinity)
        #expect(try report(replica, now: 1000)?.found == 4)
        #expect(try report(replica, now: 2 * Self.day)?.found == 0, "queries see it gone")
        try merge(replica, expiredBy: Self.day - 1)
        #expect(documents(replica) == 4 && replica.snapshot.oldestInstant == -.infinity)
        // Something to merge, or nothing is looked at.
        _ = try apply([lens("e")], to: replica, at: Self.day)
        try merge(replica, expiredBy: Self.day)
        #expect(documents(replica) == 1)
        #expect(replica.snapshot.oldestInstant == Self.day)
    }

    @Test("An answer as of before something was dropped is not whole")
    func reading() throws {
        let replica = try replica()
        for name in ["a", "b"] { _ = try apply([lens(name)], to: replica, at: 0) }
        try merge(replica, expiredBy: Self.day)
        let early = try #require(try report(replica, now: Self.day - 1))
        #expect(early.status == .failed && early.message.contains("merged away"))
        #expect(try report(replica, now: Self.day)?.status == .complete)
    }

    @Test("Merges that drop only what was deleted leave every instant readable")
    func deletions() throws {
        let replica = try replica()
        for name in ["a", "b", "a", "b"] { _ = try apply([lens(name)], to: replica, at: 0) }
        for _ in 0..<200 { _ = try apply([], to: replica, at: 0) }
        time.advance(byNanoseconds: 400_000_000_000)
        _ = try apply([lens("c")], to: replica, at: 5)
        time.advance(byNanoseconds: 400_000_000_000)
        try merge(replica, expiredBy: 0)
        #expect(documents(replica) == 3)
        #expect(replica.snapshot.oldestReadable > .zero)
        #expect(replica.snapshot.oldestInstant == -.infinity)
    }

    @Test("Versions stay for as long as passes, also where the wall clock says otherwise")
    func retention() throws {
        let replica = try replica()
        for name in ["a", "b", "a", "b"] { _ = try apply([lens(name)], to: replica, at: 0) }
        for _ in 0..<200 { _ = try apply([], to: replica, at: 40 * Self.day) }
        time.jumpWallClock(bySeconds: 40 * Self.day)
        time.advance(byNanoseconds: 200_000_000_000)
        try merge(replica, expiredBy: nil)
        #expect(documents(replica) == 4 && replica.snapshot.oldestReadable == .zero)
    }

    @Test("A write in doubt of the time finds what may not have expired, and gives the longer life")
    func doubt() throws {
        let replica = try replica()
        _ = try apply([lens("root"), lens("leaf", about: "root")], to: replica, at: 0)
        // Forty days on by one clock, a minute by the other.
        let (late, early) = (40 * Self.day, 60.0)
        var patch = DocumentPatch(uniqueIdentifier: "root")
        patch.attributes["title"] = .set(.string("lens two"))
        let updated = try apply([.update(patch)], to: replica, at: late, earliest: early)
        #expect(updated.refusals.isEmpty)
        _ = try apply([lens("root")], to: replica, at: late, earliest: early)
        #expect(try report(replica, now: 120)?.found == 2, "the leaf did not go with its root")
        let deleted = try apply(
            [.deleteQuery("title == \"lens\"")], to: replica, at: late, earliest: early)
        #expect(deleted.deleted == 2)
        _ = try apply([lens("new")], to: replica, at: late, earliest: early)
        #expect(try report(replica, now: late + Self.day - 1)?.found == 1)
    }
}
