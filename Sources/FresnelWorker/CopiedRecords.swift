import FresnelCluster

/// Records of other replicas that wait for the writing thread, which takes a few at a time, copy
/// after copy.
///
/// What came in one message may take the thread seconds on a busy machine. A replica in sync that
/// shares it, and answers no part meanwhile, would count as silent. Each bite has a sync of its
/// own, so it grows where bites are quick, and shrinks where parts would wait for long.
struct CopiedRecords {
    /// Records that are journaled and applied in one go.
    struct Bite {
        let id: CopyID
        let shard: ShardKey
        let entries: [TransferEntry]
        /// Whether nothing is left of what came with them.
        let isLast: Bool
    }

    /// What a record counts for at least, in bytes: also a short one is a part of its own.
    static let leastRecordBytes = 1 << 10
    /// Bytes of the first bite.
    static let firstBiteBytes = 32 << 10
    /// Bytes between which a bite grows and shrinks; the larger is a message of a copy.
    static let biteBytesRange = (4 << 10)...(512 << 10)
    /// A bite that took less makes the next one twice as large: nanoseconds.
    static let quickBite: Int64 = 20_000_000
    /// A bite that took longer makes the next one half as large: nanoseconds.
    static let slowBite: Int64 = 100_000_000

    private var runs: [(id: CopyID, shard: ShardKey, rest: ArraySlice<TransferEntry>)] = []
    /// Bytes of records from which on no further one is in the same bite.
    private(set) var biteBytes = Self.firstBiteBytes

    var isEmpty: Bool { runs.isEmpty }

    mutating func add(_ entries: [TransferEntry], to shard: ShardKey, _ id: CopyID) {
        runs.append((id, shard, entries[...]))
    }

    /// The next bite, of the copy that has waited for longest.
    mutating func next() -> Bite? {
        guard !runs.isEmpty else { return nil }
        var run = runs.removeFirst()
        var (count, bytes) = (0, 0)
        while count < run.rest.count, bytes < biteBytes {
            let record = run.rest[run.rest.startIndex + count].record
            bytes += max(Self.leastRecordBytes, record.count)
            count += 1
        }
        let entries = Array(run.rest.prefix(count))
        run.rest = run.rest.dropFirst(count)
        let isLast = run.rest.isEmpty
        if !isLast { runs.append(run) }
        return Bite(id: run.id, shard: run.shard, entries: entries, isLast: isLast)
    }

    /// Takes in how long a bite took.
    mutating func note(nanoseconds: Int64) {
        let range = Self.biteBytesRange
        if nanoseconds < Self.quickBite {
            biteBytes = min(range.upperBound, 2 * biteBytes)
        } else if nanoseconds > Self.slowBite {
            biteBytes = max(range.lowerBound, biteBytes / 2)
        }
    }

    /// Forgets what waits of a copy.
    mutating func forget(_ id: CopyID) { runs.removeAll { $0.id == id } }

    /// Forgets what waits for a shard.
    mutating func forget(_ shard: ShardKey) { runs.removeAll { $0.shard == shard } }
}
