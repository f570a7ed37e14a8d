@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

/// One hit on its way from match to batch.
struct PreparedHit {
    let key: [UInt8]
    let body: [UInt8]
}

/// What an engine may do or leave: every way is right.
struct EngineManner {
    enum Bounds: CaseIterable {
        case none
        /// The key of the next hit.
        case exact
        /// Its beginning, as an engine knows it that has not read the identifier yet.
        case beginning
    }

    var bounds = Bounds.none
    var obeysThresholds = false
    /// Of a hundred batches, how many are a bound alone.
    var loneBounds = 0

    init() {}

    init(_ random: inout SplitMix64) {
        bounds = random.element(of: Bounds.allCases)
        obeysThresholds = random.chance(60)
        loneBounds = random.element(of: [0, 20, 60])
    }
}

/// A search inside a simulated worker's threads.
struct EngineTask {
    enum Phase {
        case counting
        case matching
        case ready
        case producing
    }

    let subquery: WireSubquery
    let until: Instant
    var phase: Phase
    var manner = EngineManner()
    /// Why the versions that a page reads are gone.
    var failure: WireFailure?
    var hits: ArraySlice<PreparedHit> = []
    /// Whether the last report left hits here, so that `forget` must say so.
    var isHeld = false
    /// The key behind which nothing is wanted.
    private(set) var threshold: [UInt8]?
    /// The newest bound that was named.
    private var bound: [UInt8] = []

    init(subquery: WireSubquery, until: Instant, phase: Phase) {
        self.subquery = subquery
        self.until = until
        self.phase = phase
    }

    /// Takes in a threshold; an engine that has none to prune by goes on as before.
    mutating func narrow(to key: [UInt8]) {
        guard manner.obeysThresholds else { return }
        threshold = key
        hits = hits.prefix { !key.lexicographicallyPrecedes($0.key) }
    }

    /// Matches every target in `shards` as of `now`.
    mutating func match(_ shards: [ShardKey: StoredShard], at now: Instant) -> MatchOutcome {
        if subquery.hasChanges { return compare(shards, at: now) }
        let model = SearchModel(subquery.search)
        let own = subquery.ownStatistics ? count(shards) : nil
        let documents = (own ?? subquery.statistics).documents
        var reports: [WireShardReport] = []
        var found: [PreparedHit] = []
        var counted: [Document] = []
        for target in subquery.targets {
            var report = WireShardReport()
            report.index = target.index
            report.shard = target.shard
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            guard let shard = shards[key] else {
                report.status = .failed
                reports.append(report)
                continue
            }
            let visible = shard.documents(at: SequenceNumber(target.snapshot))
            report.owned = UInt64(visible.count)
            guard now < until else {
                report.status = .deadline
                reports.append(report)
                continue
            }
            let matching = visible.filter { model.matches($0) }
            let keys = matching.map { model.key(of: $0, documents: documents) }
            report.status = .complete
            report.searched = report.owned
            report.sequence = min(target.snapshot, shard.lastSequence.value)
            report.found = UInt64(matching.count)
            report.skipped = UInt64(keys.count { isUnwanted($0) })
            report.scored = model.isScored ? report.found - report.skipped : 0
            reports.append(report)
            counted += matching
            found += zip(matching, keys).map { document, key in
                let score = model.score(of: document, documents: documents)
                let body = HitBody(
                    index: target.index, score: model.isScored ? score : nil,
                    document: DocumentCoding.encode(document))
                return PreparedHit(key: key, body: body.encode())
            }
        }
        guard subquery.rest.isEmpty else { return countAgain(counted, reports) }
        found.sort { $0.key.lexicographicallyPrecedes($1.key) }
        let beyond = cut(&found)
        hits = found.filter { !isUnwanted($0.key) }[...]
        phase = .ready
        return MatchOutcome(
            reports: reports, available: UInt64(hits.count), beyond: beyond,
            facets: model.facets(of: counted), failure: failure, statistics: own)
    }

    private func isUnwanted(_ key: [UInt8]) -> Bool {
        threshold.map { $0.lexicographicallyPrecedes(key) } ?? false
    }

    /// Keeps what the page and the limit leave; returns the hits on the page's side.
    func cut(_ found: inout [PreparedHit]) -> UInt64 {
        let limit = subquery.search.hasLimit ? Int(subquery.search.limit) : found.count
        guard let page = subquery.page else {
            found = Array(found.prefix(limit))
            return 0
        }
        found = found.filter {
            page.isBackwards
                ? $0.key.lexicographicallyPrecedes(page.key)
                : page.key.lexicographicallyPrecedes($0.key)
        }
        let beyond = UInt64(found.count)
        found = Array(page.isBackwards ? found.suffix(limit) : found.prefix(limit))
        return beyond
    }

    func count(_ shards: [ShardKey: StoredShard]) -> WireStatistics {
        var statistics = WireStatistics()
        for target in subquery.targets {
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            let visible = shards[key]?.documents(at: SequenceNumber(target.snapshot)) ?? []
            statistics.documents += UInt64(visible.count)
            if let shard = shards[key] { statistics.sequences.append(shard.lastSequence.value) }
        }
        statistics.leafDocuments = [statistics.documents]
        return statistics
    }

    /// Encodes the next batch of at most `items` hits; with none it is a bound alone.
    mutating func produce(items: Int, bytes: Int) -> ProducedBatch {
        var writer = HitBatchWriter()
        while let hit = hits.first, writer.count < items {
            let cost = HitBatchWriter.overheadPerHit + hit.key.count + hit.body.count
            if writer.count > 0, writer.byteCount + cost > bytes { break }
            writer.append(key: hit.key, body: hit.body)
            hits.removeFirst()
        }
        phase = .ready
        return ProducedBatch(
            payload: writer.bytes(), items: writer.count, isLast: hits.isEmpty,
            fetchMicroseconds: 1, bound: nextBound())
    }

    /// The bound of what is left, as exact as the engine's manner makes it.
    private mutating func nextBound() -> [UInt8] {
        guard subquery.search.delivery != .found, let next = hits.first else { return [] }
        let named: [UInt8] =
            switch manner.bounds {
            case .none: []
            case .exact: next.key
            case .beginning: Array(next.key.prefix(9))
            }
        guard !named.lexicographicallyPrecedes(bound) else { return [] }
        bound = named
        return named
    }
}
