@testable import FresnelCluster
import FresnelKernels
import FresnelModel
import FresnelWire

/// Matching and sorting as the simulated workers do it, and as the oracle expects it.
///
/// Two kinds of query are enough to walk every path of the cores: a comparison of numbers, which is
/// sorted by the number, and one of text, which is scored and needs global statistics.
struct SearchModel {
    let minimumRating: Double?
    let isDescending: Bool
    let facetRequests: [WireFacetRequest]

    init(_ search: WireSearch) {
        minimumRating =
            search.query.hasPrefix("rating") ? Double(search.query.suffix(1)) : nil
        isDescending = search.sort.first?.descending ?? true
        facetRequests = search.facets
    }

    var isScored: Bool { minimumRating == nil }

    func matches(_ document: Document) -> Bool {
        guard let minimumRating else { return document.title.hasPrefix("lens") }
        return document.rating >= minimumRating
    }

    /// The score; of the statistics only the number of documents counts, so that a hit shows which
    /// statistics its worker was given.
    func score(of document: Document, documents: UInt64) -> Double {
        Double(documents) * 100 + document.rating
    }

    func key(of document: Document, documents: UInt64) -> [UInt8] {
        var key = OrderedKey()
        if isScored {
            key.append(score: score(of: document, documents: documents), descending: true)
        } else {
            key.append(number: document.rating, descending: isDescending)
        }
        key.append(string: document.uniqueIdentifier, descending: false)
        return key.bytes
    }
}

extension Document {
    var title: String {
        guard case .string(let title)? = attributes["title"] else { return "" }
        return title
    }

    var rating: Double {
        guard case .number(let rating)? = attributes["rating"] else { return 0 }
        return rating
    }
}

/// One hit on its way from match to batch.
struct PreparedHit {
    let key: [UInt8]
    let body: [UInt8]
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
    /// Why the versions that a page reads are gone.
    var failure: WireFailure?
    var hits: ArraySlice<PreparedHit> = []

    /// Matches every target in `shards` as of `now`.
    mutating func match(_ shards: [ShardKey: StoredShard], at now: Instant) -> MatchOutcome {
        if subquery.hasChanges { return compare(shards, at: now) }
        let model = SearchModel(subquery.search)
        let documents = subquery.statistics.documents
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
            report.status = .complete
            report.searched = report.owned
            report.found = UInt64(matching.count)
            reports.append(report)
            counted += matching
            found += matching.map { document in
                let score = model.score(of: document, documents: documents)
                let body = HitBody(
                    index: target.index, score: model.isScored ? score : nil,
                    document: DocumentCoding.encode(document))
                return PreparedHit(
                    key: model.key(of: document, documents: documents), body: body.encode())
            }
        }
        found.sort { $0.key.lexicographicallyPrecedes($1.key) }
        let beyond = cut(&found)
        hits = found[...]
        phase = .ready
        return MatchOutcome(
            reports: reports, available: UInt64(found.count), beyond: beyond,
            facets: model.facets(of: counted), failure: failure)
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

    /// Encodes the next batch of at most `items` hits.
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
            fetchMicroseconds: 1)
    }
}
