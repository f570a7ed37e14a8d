import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("Changes between two states")
struct PropertyChangeTests {
    /// Some batches, merges and reopenings, and the states in between.
    private struct Lived {
        var history: ReplicaHistory
        var points: [ReadingPoint] = []

        init(
            _ chance: inout MatchingChance, shards: UInt32, retention: Retention, _ note: String
        ) throws {
            history = try ReplicaHistory(shardCount: shards, retention: retention)
            notePoint()
            for batch in 1...10 {
                try history.apply(
                    PropertyReplicaTests.batch(&chance, at: history.now), "\(note) batch \(batch)")
                notePoint()
                try addFamily(&chance, "\(note) batch \(batch)")
                history.wait(seconds: Double(chance.below(4)) * 86_400)
                notePoint()
                if batch % 3 == 0 { try history.merge(PropertyReplicaTests.eager) }
                if batch % 4 == 0 { try history.reopen() }
            }
        }

        /// A root that expires soon, and what is about it, which goes with it.
        private mutating func addFamily(_ chance: inout MatchingChance, _ note: String) throws {
            var root = chance.document("r\(chance.below(4))")
            let seconds = history.now.seconds + Double(1 + chance.below(3)) * 86_400
            root.expirationDate = Timestamp(seconds: seconds)
            try history.apply([.index(root)], note)
            notePoint()
            var child = chance.document("c\(chance.below(4))")
            child.attributes["relatedUniqueIdentifier"] = .string(root.uniqueIdentifier)
            child.expirationDate = nil
            try history.apply([.index(child)], note)
            notePoint()
        }

        private mutating func notePoint() {
            points.append(ReadingPoint(sequence: history.sequence, now: history.now))
        }
    }

    private static let control = SearchControl(time: ManualTime())

    private func search(_ chance: inout MatchingChance) -> WireSearch {
        var query = "uniqueIdentifier == \"*\""
        if chance.chance(0.7) {
            let text = "\(chance.expression(depth: 2))"
            if !text.contains("$time") { query = text }
        }
        var search = MatchingCorpus.search(
            query, context: QueryContext(now: .init(wholeSeconds: 0)))
        search.allAttributes = true
        search.delivery = chance.chance(0.3) ? .found : .settled
        search.sort = (0..<1 + chance.below(2)).map { _ in
            var key = WireSortKey()
            key.attribute = chance.pick([
                "title", "keywords", "rating", "importantDates", "documentKind", "index",
            ])
            key.descending = chance.chance(0.5)
            return key
        }
        if chance.chance(0.2) { search.filters = ["rating >= 0 || title == \"*\""] }
        return search
    }

    /// Every hit of a state: its identifier and its bytes.
    private func answer(
        _ search: WireSearch, at point: ReadingPoint, _ history: ReplicaHistory
    ) throws -> [String: [UInt8]] {
        var search = search
        search.context.now = point.now.seconds
        search.delivery = .found
        let plan = try SearchPlan(search: search, schema: history.model.schema)
        let found = ShardSearch(plan, counts: nil, control: Self.control)
            .run(history.targets(at: point.sequence))
        var answer: [String: [UInt8]] = [:]
        for hit in try Self.hits(found.hits) { answer[hit.identifier] = hit.bytes }
        return answer
    }

    private struct ChangedHit {
        let key: [UInt8]
        let identifier: String
        let bytes: [UInt8]
    }

    private static func hits(_ hits: HitStream) throws -> [ChangedHit] {
        var hits = hits
        var found: [ChangedHit] = []
        while hits.remaining > 0 {
            let batch = try hits.nextBatch(maximumItems: 3, maximumBytes: 1 << 20)
            let reader = try HitBatchReader(batch.payload)
            for place in 0..<reader.count {
                let body = try HitBody(reader.bytes, in: reader.bodyRange(place))
                let document = try body.decodeDocument()
                found.append(
                    ChangedHit(
                        key: Array(reader.key(place)), identifier: document.uniqueIdentifier,
                        bytes: DocumentCoding.encode(document)))
            }
        }
        return found
    }

    /// The changes of all shards in the order of their keys, as a broker merges them; nil when a
    /// shard says that the former state has expired.
    private func changes(
        _ search: WireSearch, from former: ReadingPoint, to newer: ReadingPoint,
        after key: [UInt8]? = nil, _ history: ReplicaHistory
    ) throws -> (hits: [ChangedHit], found: UInt64, removed: UInt64, beyond: UInt64)? {
        var plan = try SearchPlan(search: search, schema: history.model.schema)
        plan.page = key.map { PagePosition(key: $0, isBackwards: false) }
        // By turns documents are read one by one, and never.
        let direct = try DirectMatcher(
            search, schema: history.model.schema,
            limit: search.query.utf8.count % 2 == 0 ? .max : 0, share: 1)
        var all: [ChangedHit] = []
        var (found, removed, beyond) = (UInt64(0), UInt64(0), UInt64(0))
        for target in history.targets(at: newer.sequence) {
            let matched = ShardChanges(
                plan, direct: direct, fromNow: former.now, toNow: newer.now, control: Self.control
            ).run([ChangeTarget(target, since: former.sequence)])
            if matched.isExpired { return nil }
            let hits = try Self.hits(matched.hits)
            let isAscending = zip(hits, hits.dropFirst()).allSatisfy {
                $0.key.lexicographicallyPrecedes($1.key)
            }
            #expect(isAscending, "\(search.query)")
            all += hits
            found += matched.reports[0].found
            removed += matched.reports[0].removed
            beyond += matched.beyond
        }
        all.sort { $0.key.lexicographicallyPrecedes($1.key) }
        return (all, found, removed, beyond)
    }

    @Test(
        "applied to the old answer they make the fresh one",
        arguments: [1, 2, 3, 5] as [UInt32], 0..<4)
    func applied(shards: UInt32, round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(400 + round)
        let note = "seed \(seed), \(shards) shards"
        var chance = MatchingChance(seed: seed)
        for _ in 0..<3 {
            let lived = try Lived(
                &chance, shards: shards, retention: Retention(seconds: 1e9), note)
            for _ in 0..<25 {
                let search = search(&chance)
                let (left, right) = (
                    chance.below(lived.points.count), chance.below(lived.points.count)
                )
                let (former, newer) = (
                    lived.points[min(left, right)], lived.points[max(left, right)]
                )
                let text = "\(note): \(search.query) from \(former) to \(newer)"
                let (found, fresh) = (
                    try #require(
                        try changes(search, from: former, to: newer, lived.history), "\(text)"),
                    try answer(search, at: newer, lived.history)
                )
                var applied = try answer(search, at: former, lived.history)
                var removed: UInt64 = 0
                var hasAdded = false
                for hit in found.hits {
                    switch hit.key.first {
                    case ChangeKeys.removed:
                        #expect(!hasAdded, "\(text): removals come first")
                        #expect(applied[hit.identifier] == hit.bytes, "\(text) removed")
                        applied[hit.identifier] = nil
                        removed += 1
                    default:
                        hasAdded = true
                        #expect(applied[hit.identifier] == nil, "\(text) added")
                        applied[hit.identifier] = hit.bytes
                    }
                }
                #expect(applied == fresh, "\(text)")
                #expect(found.found == UInt64(found.hits.count), "\(text)")
                #expect(found.removed == removed, "\(text)")
                try resume(search, former, newer, found.hits, lived.history, &chance, text)
            }
        }
    }

    /// Interrupted anywhere, they go on behind the key of the last that was seen.
    private func resume(
        _ search: WireSearch, _ former: ReadingPoint, _ newer: ReadingPoint, _ all: [ChangedHit],
        _ history: ReplicaHistory, _ chance: inout MatchingChance, _ text: String
    ) throws {
        guard !all.isEmpty else { return }
        let seen = chance.below(all.count)
        let rest = try #require(
            try changes(search, from: former, to: newer, after: all[seen].key, history), "\(text)")
        #expect(rest.hits.map(\.key) == all[(seen + 1)...].map(\.key), "\(text)")
        #expect(rest.beyond == UInt64(rest.hits.count), "\(text)")
        #expect(rest.found == UInt64(all.count), "\(text)")
    }

    @Test("are right or refused when merges drop versions, and never wrong", arguments: 0..<4)
    func retention(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(500 + round)
        var chance = MatchingChance(seed: seed)
        var refusals = 0
        for _ in 0..<4 {
            let lived = try Lived(
                &chance, shards: 2, retention: Retention(seconds: 60, sequences: 0), "seed \(seed)")
            let newest = try #require(lived.points.last)
            var search = MatchingCorpus.search(
                "uniqueIdentifier == \"*\"", context: QueryContext(now: newest.now))
            search.allAttributes = true
            var title = WireSortKey()
            title.attribute = "title"
            search.sort = [title]
            let fresh = try answer(search, at: newest, lived.history)
            for former in lived.points {
                guard let found = try changes(search, from: former, to: newest, lived.history)
                else {
                    refusals += 1
                    continue
                }
                var applied: Set<String> = Set(fresh.keys)
                for hit in found.hits.reversed() {
                    if hit.key.first == ChangeKeys.added {
                        #expect(applied.remove(hit.identifier) != nil, "seed \(seed)")
                    } else {
                        #expect(applied.insert(hit.identifier).inserted, "seed \(seed)")
                    }
                }
                guard former.sequence > .zero else {
                    #expect(applied.isEmpty, "seed \(seed)")
                    continue
                }
            }
        }
        #expect(refusals > 0, "seed \(seed)")
    }

    @Test("since nothing are refused, too, where the newer state was merged away")
    func newerMergedAway() throws {
        var chance = MatchingChance(seed: 4)
        let lived = try Lived(
            &chance, shards: 2, retention: Retention(seconds: 60, sequences: 0), "seed 4")
        let search = search(&chance)
        var refusals = 0
        for newer in lived.points {
            let isReadable = lived.history.targets(at: newer.sequence).allSatisfy {
                newer.sequence >= $0.snapshot.oldestReadable
                    && newer.now.seconds >= $0.snapshot.oldestInstant
            }
            let nothing = ReadingPoint(sequence: .zero, now: newer.now)
            let found = try changes(search, from: nothing, to: newer, lived.history)
            #expect((found != nil) == isReadable, "\(newer)")
            if !isReadable { refusals += 1 }
        }
        #expect(refusals > 0)
    }

    @Test("since nothing are the whole answer")
    func sinceNothing() throws {
        var chance = MatchingChance(seed: 3)
        let lived = try Lived(
            &chance, shards: 2, retention: Retention(seconds: 60, sequences: 0), "seed 3")
        let newest = try #require(lived.points.last)
        let search = search(&chance)
        let nothing = ReadingPoint(sequence: .zero, now: newest.now)
        let found = try #require(try changes(search, from: nothing, to: newest, lived.history))
        #expect(
            Set(found.hits.map(\.identifier))
                == Set(try answer(search, at: newest, lived.history).keys))
    }
}
