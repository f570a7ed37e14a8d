import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire

/// Documents in segments, and searches over them, without a replica around.
struct MatchingCorpus {
    let schema: AttributeSchema
    private(set) var snapshot: IndexSnapshot
    private(set) var documents: [Document] = []
    static let context = QueryContext(now: Timestamp(wholeSeconds: 864_000))

    init(schema: AttributeSchema) {
        self.schema = schema
        snapshot = IndexSnapshot(segments: [], sequence: .zero, schema: schema)
    }

    /// The documents dealt out to so many shards: of one few segments, of many each a few more.
    static func shards(
        of documents: [Document], count: Int, schema: AttributeSchema
    ) throws -> [MatchingCorpus] {
        try (0..<count).map { shard in
            var corpus = MatchingCorpus(schema: schema)
            let mine = documents.enumerated().filter { $0.offset % count == shard }.map(\.element)
            let size = 1 + mine.count / count
            for start in stride(from: 0, to: mine.count, by: size) {
                try corpus.append(Array(mine[start..<min(mine.count, start + size)]))
            }
            return corpus
        }
    }

    /// Adds documents as one segment of the next batch.
    mutating func append(_ added: [Document]) throws {
        let sequence = snapshot.sequence.next
        let documents = added.map { $0.normalised(in: schema) }
        let segment = try SegmentBuilder.build(
            documents: documents.map {
                IncomingDocument(
                    encoded: DocumentCoding.encode($0), document: $0,
                    createdSequence: sequence.value)
            },
            // One after the other as small, as large and as packed ones are.
            packing: [.standard, .always, .withoutColumns][Int(sequence.value % 3)]
        ).open()
        let published = PublishedSegment(
            serial: sequence.value, view: SegmentView(segment, schema: schema))
        snapshot = IndexSnapshot(
            segments: snapshot.segments + [published], sequence: sequence, schema: schema)
        self.documents += documents
    }

    /// Deletes the documents with these identifiers in the next batch.
    mutating func delete(_ identifiers: Set<String>) {
        let sequence = snapshot.sequence.next
        let segments = snapshot.segments.map { published in
            var published = published
            for text in identifiers {
                let key = Array(text.utf8)
                let table = published.segment.identifiers
                for document in table.documents(withIdentifier: key.span) {
                    published.deletions.insert(document, at: sequence.value)
                }
            }
            return published
        }
        snapshot = IndexSnapshot(segments: segments, sequence: sequence, schema: schema)
        documents.removeAll { identifiers.contains($0.uniqueIdentifier) }
    }

    /// The search of a query with everything else left out.
    static func search(_ query: String, context: QueryContext = Self.context) -> WireSearch {
        var search = WireSearch()
        search.query = query
        search.delivery = .final
        search.context.now = context.now.seconds
        search.context.timeZone = context.timeZone
        search.context.firstWeekday = UInt32(context.firstWeekday)
        search.context.language = context.language ?? ""
        return search
    }

    /// The target of searches that see everything.
    func target(shard: UInt32 = 0) -> SearchTarget {
        SearchTarget(
            index: "default", shard: ShardID(shard), snapshot: snapshot,
            sequence: snapshot.sequence)
    }

    /// What a search finds over several shards, as the broker would put it together.
    static func run(
        _ search: WireSearch, over targets: [SearchTarget], schema: AttributeSchema
    ) throws -> (reports: [WireShardReport], hits: [HitBody], keys: [[UInt8]]) {
        let plan = try SearchPlan(search: search, schema: schema)
        let control = SearchControl(time: ManualTime())
        var statistics = WireStatistics()
        for target in targets {
            let counted = try ShardStatistics.matches(of: plan, in: [target], control: control)
                .statistics
            statistics.documents += counted.documents
            statistics.leafDocuments =
                statistics.leafDocuments.isEmpty
                ? counted.leafDocuments
                : zip(statistics.leafDocuments, counted.leafDocuments).map { $0 + $1 }
        }
        let counts = MatchCounts(statistics)
        var matched = ShardSearch(plan, counts: counts, control: control).run(targets)
        var hits: [HitBody] = []
        var keys: [[UInt8]] = []
        var isLast = matched.hits.remaining == 0
        while !isLast {
            let batch = try matched.hits.nextBatch(maximumItems: 7, maximumBytes: 2000)
            let reader = try HitBatch(batch.payload, mayBeFrontCoded: true).whole
            for place in 0..<reader.count {
                hits.append(try HitBody(reader.bytes, in: reader.bodyRange(place)))
                keys.append(Array(reader.key(place)))
            }
            isLast = batch.isLast
        }
        return (matched.reports, hits, keys)
    }

    /// The identifiers a search finds here, in the order of the answer.
    func identifiers(_ search: WireSearch) throws -> [String] {
        try Self.run(search, over: [target()], schema: schema).hits.map {
            try $0.decodeDocument().uniqueIdentifier
        }
    }

    /// The identifiers the reference matcher finds, sorted.
    func expected(_ search: WireSearch) throws -> [String] {
        let parsed = try QueryParser.parse(search.query, options: ParseOptions(schema: schema))
        var context = Self.context
        context.language = search.context.language.isEmpty ? nil : search.context.language
        let matcher = ReferenceMatcher(
            expression: try parsed.expression.resolved(in: context), schema: schema,
            language: context.language, index: "default")
        return documents.filter(matcher.matches).map(\.uniqueIdentifier).sorted()
    }
}

extension SegmentPacking {
    /// Packs nothing, and leaves the columns of sentences and identifiers out of every segment.
    static let withoutColumns = SegmentPacking(
        documents: .max, longTextTokens: 2, columnDocuments: 0)
}
