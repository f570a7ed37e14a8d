import BenchmarkWorkload
import FresnelClient
import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Meter

/// A catalogue of documents as one shard of an index, built as a worker builds it.
struct Catalogue {
    /// The attribute that holds the number of each document.
    static let number = "com_bench_n"

    let replica: ReplicaIndex
    let schema: AttributeSchema
    /// Processor seconds of applying and merging; nil for an index that was there already.
    private(set) var buildSeconds: Double?
    private(set) var documentCount = 0

    /// Opens an index, or builds it of a file of documents first.
    ///
    /// - Parameters:
    ///   - directory: where the index is or will be.
    ///   - documents: NDJSON, unpacked; read only when the directory has no index.
    ///   - hasDays: whether numbers are days since 1970, to be indexed as dates.
    ///   - isMerged: whether all segments become one; else what a worker's policy leaves.
    init(
        directory: String, documents: String, hasDays: Bool, isMerged: Bool
    ) throws {
        let key = try CustomAttributeKey(Self.number, hasDays ? .date : .number)
        let settings = ReplicaSettings(
            index: "bench", shard: ShardID(0), shardCount: 1, expiration: .never,
            customKeys: [key])
        var replica = try ReplicaIndex(
            opening: directory, settings: settings, environment: .system)
        if replica.snapshot.segments.isEmpty {
            let build = IndexBuild(replica, key: hasDays ? key : nil)
            try build.append(contentsOf: documents)
            try build.merge(isMerged: isMerged)
            buildSeconds = build.seconds
            _ = try replica.seal()
            // Opened again, as after a restart: segments are mapped files.
            replica = try ReplicaIndex(
                opening: directory, settings: settings, environment: .system)
        }
        self.replica = replica
        schema = replica.snapshot.schema
        documentCount = replica.snapshot.segments.reduce(0) { $0 + $1.segment.documentCount }
    }

    /// The bytes of all segments.
    var byteCount: Int {
        replica.snapshot.segments.reduce(0) { $0 + $1.segment.bytes.count }
    }

    /// The bytes of the stored documents in all segments.
    var storedByteCount: Int {
        replica.snapshot.segments.reduce(0) { $0 + $1.segment.storedByteCount }
    }

    /// The bytes of each kind of section, and how many a document, the largest first.
    var sizesBySection: String {
        var sizes: [String: Int] = [:]
        for size in replica.snapshot.segments.flatMap(\.segment.sectionSizes) {
            let name = size.kind + (size.attribute.map { " of \($0)" } ?? "")
            sizes[name, default: 0] += size.byteCount
        }
        return sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
            let each = Double(count * 10 / max(1, documentCount)) / 10
            return "| \(name) | \(count) | \(each) |"
        }.joined(separator: "\n")
    }

    /// The whole index as a search sees it.
    var targets: [SearchTarget] {
        let snapshot = replica.snapshot
        return [
            SearchTarget(
                index: "bench", shard: ShardID(0), snapshot: snapshot, sequence: snapshot.sequence)
        ]
    }
}

/// Applies documents in parts, and merges, as the worker's two threads do.
final class IndexBuild {
    private let replica: ReplicaIndex
    /// The key whose numbers are days.
    private let days: CustomAttributeKey?
    private let now = Timestamp(wholeSeconds: 800_000_000)
    private(set) var seconds = 0.0
    private var sequence = SequenceNumber.zero
    private var put = PutBuilder(WirePut())

    init(_ replica: ReplicaIndex, key: CustomAttributeKey?) {
        self.replica = replica
        days = key
    }

    func append(contentsOf path: String) throws {
        let reader = try ImportReader(.file(path), options: ImportOptions(format: .ndjson))
        while let record = try reader.next() {
            guard case .document(var document, _) = record else {
                throw BenchmarkError.usage("\(path): an entry is no document: \(record)")
            }
            if let days, case .number(let day)? = document.attributes[days.name] {
                let seconds = day * 86_400 - 978_307_200
                document.attributes[days.name] = Timestamp(seconds: seconds).map { .date($0) }
            }
            if try !put.append(.index(document)) {
                try flush()
                guard try put.append(.index(document)) else {
                    throw BenchmarkError.usage("a document is too large for a part")
                }
            }
        }
        try flush()
    }

    private func flush() throws {
        let message = put.message
        let started = meter_thread_nanoseconds()
        defer { seconds += Double(meter_thread_nanoseconds() - started) / 1e9 }
        sequence = sequence.next
        let part = PartInput(
            sequence: sequence, previous: replica.lastSequence,
            batch: BatchIdentity(client: 1, number: sequence.value),
            operations: message.operations, payload: put.payload, stampedAt: now,
            context: QueryContext(now: now))
        guard case .applied(let outcome) = replica.apply(part), outcome.refusals.isEmpty else {
            throw BenchmarkError.usage("a part was refused")
        }
        put = PutBuilder(WirePut())
        while try replica.merge(expiredBy: now) {}
    }

    func merge(isMerged: Bool) throws {
        let started = meter_thread_nanoseconds()
        defer { seconds += Double(meter_thread_nanoseconds() - started) / 1e9 }
        let count = replica.snapshot.segments.count
        guard isMerged, count > 1 else { return }
        var policy = MergePolicy()
        policy.packing = .standard
        policy.tinyWidth = count
        policy.tinyDocuments = .max
        policy.tinyRatio = 1 << 20
        policy.documentLimit = .max
        policy.byteLimit = .max
        policy.storedByteLimit = .max
        _ = try replica.merge(expiredBy: now, policy: policy)
    }
}
