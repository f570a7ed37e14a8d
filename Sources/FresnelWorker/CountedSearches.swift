import FresnelIndex
import FresnelModel
import FresnelWire
import ZeroMQ

/// What was matched while terms were counted, until the search that follows takes it.
///
/// Shared by the search threads, since the two phases of a query may come to different ones. It
/// holds a bounded number of bytes and of snapshots, the oldest go first, and nothing outlives the
/// time its query has. Whatever is not there any more is matched again.
final class CountedSearches: Sendable {
    private struct Entry {
        let subquery: WireSubquery
        let counted: CountedMatches
        let byteCount: Int
        let until: Instant
    }

    private let entries = Guarded<[Entry]>([])
    private let byteLimit: Int
    /// Searches kept; more are rarely between their phases, and each holds its snapshots.
    private let countLimit: Int

    init(byteLimit: Int = 64 << 20, countLimit: Int = 64) {
        self.byteLimit = byteLimit
        self.countLimit = countLimit
    }

    /// How many searches are kept.
    var count: Int { entries.withLock { $0.count } }

    func keep(
        _ counted: CountedMatches, for subquery: WireSubquery, until: Instant, at now: Instant
    ) {
        let byteCount = counted.byteCount
        guard byteCount <= byteLimit else { return }
        let entry = Entry(
            subquery: Self.key(subquery), counted: counted, byteCount: byteCount, until: until)
        entries.withLock { entries in
            entries.removeAll { $0.until <= now }
            entries.append(entry)
            var bytes = entries.reduce(0) { $0 + $1.byteCount }
            while entries.count > countLimit || bytes > byteLimit {
                bytes -= entries.removeFirst().byteCount
            }
        }
    }

    /// What was kept for the same search, once; nil when it came without being counted.
    ///
    /// Statistics that are checked against the shards as they are now take nothing.
    func take(_ subquery: WireSubquery, at now: Instant) -> CountedMatches? {
        guard subquery.hasStatistics, subquery.statistics.sequences.isEmpty else { return nil }
        let key = Self.key(subquery)
        return entries.withLock { entries in
            entries.removeAll { $0.until <= now }
            guard let place = entries.firstIndex(where: { $0.subquery == key }) else { return nil }
            return entries.remove(at: place).counted
        }
    }

    /// Forgets what is late; the time until there is something to forget again.
    func dropExpired(at now: Instant) -> Duration? {
        entries.withLock { entries in
            entries.removeAll { $0.until <= now }
            return entries.map(\.until).min().map { $0 - now }
        }
    }

    /// A search without what its two phases differ in.
    private static func key(_ subquery: WireSubquery) -> WireSubquery {
        var key = subquery
        key.clearStatistics()
        return key
    }
}
