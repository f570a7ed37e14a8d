package import FresnelModel
import Histogram

/// One shard and who searched it.
package struct ShardPlace: Hashable, Codable, Sendable, Comparable {
    /// The name of its index.
    package let index: String
    /// Its number.
    package let shard: UInt32
    /// The worker's name; nil where nobody could be asked.
    package let worker: String?

    package init(_ report: ShardReport) {
        index = report.index.text
        shard = report.shard.number
        worker = report.worker?.name
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.index, left.shard, left.worker ?? "") < (right.index, right.shard, right.worker ?? "")
    }
}

/// What one shard told of its part in the answers of a run, in microseconds.
package struct ShardTally: Codable, Sendable {
    /// Answers that it was searched whole for.
    package private(set) var whole = 0
    /// Answers that it is missing from.
    package private(set) var missing = 0
    /// Waiting for a thread of its worker.
    package private(set) var queue = LatencySummary(digits: .two)
    /// Finding, scoring and reading.
    package private(set) var search = LatencySummary(digits: .two)
    /// Documents of the shard in the newest answer.
    package private(set) var documents: UInt64 = 0

    /// No more shards are told apart.
    static let placesMost = 512

    package init() {}

    package mutating func take(_ report: ShardReport) {
        guard report.isWhole else { return missing += 1 }
        whole += 1
        documents = report.owned
        queue.record(microseconds: report.timings.queue ?? 0)
        search.record(microseconds: report.searchMicroseconds)
    }

    package mutating func add(_ other: ShardTally) {
        whole += other.whole
        missing += other.missing
        queue.add(other.queue)
        search.add(other.search)
        documents = max(documents, other.documents)
    }
}

extension ShardReport {
    /// What its worker did for it, in microseconds.
    var searchMicroseconds: UInt64 {
        (timings.match ?? 0) + (timings.score ?? 0) + (timings.fetch ?? 0)
    }
}
