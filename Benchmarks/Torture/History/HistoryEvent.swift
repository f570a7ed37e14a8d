package import Foundation

/// One thing that happened in a torture run, as it stands in a line of the history.
///
/// All times are nanoseconds of one process's monotonic clock. A history is the only thing the
/// checker sees: what was done to a cluster, what it answered and when, and what was broken.
package enum HistoryEvent: Codable, Sendable, Equatable {
    /// What was run; the first line.
    case began(RunDescription)
    /// A batch and its answer.
    case write(WriteEvent)
    /// A search and its answer.
    case read(ReadEvent)
    /// A look at the client state of an index.
    case state(StateEvent)
    /// Something that was broken, and when it was whole again.
    case fault(FaultEvent)
    /// What `fresnel verify --data` said of a replica at the end.
    case replica(ReplicaEvent)
    /// A promise that the run itself saw broken.
    case trouble(TroubleEvent)
}

/// What was run.
package struct RunDescription: Codable, Sendable, Equatable {
    /// Where all choices come from.
    package var seed: UInt64
    /// Copies of every shard.
    package var replicas: Int
    /// Worker processes.
    package var workers: Int
    /// Shards of every index.
    package var shards: Int

    /// Describes a run.
    package init(seed: UInt64, replicas: Int, workers: Int, shards: Int) {
        self.seed = seed
        self.replicas = replicas
        self.workers = workers
        self.shards = shards
    }
}

/// One replica, as its directory shows it after the end.
package struct ReplicaEvent: Codable, Sendable, Equatable {
    /// The worker it belongs to.
    package var worker: String
    /// The index.
    package var index: String
    /// The shard.
    package var shard: Int
    /// The digest of what it contains.
    package var digest: String
    /// Whether everything in its directory is as it was written.
    package var isSound: Bool
    /// What is wrong with it.
    package var problems: [String]

    /// Describes a replica.
    package init(
        worker: String, index: String, shard: Int, digest: String, isSound: Bool = true,
        problems: [String] = []
    ) {
        self.worker = worker
        self.index = index
        self.shard = shard
        self.digest = digest
        self.isSound = isSound
        self.problems = problems
    }
}

/// A promise that was seen broken while the cluster ran.
package struct TroubleEvent: Codable, Sendable, Equatable {
    /// Which promise.
    package var kind: Violation.Kind
    /// What happened.
    package var text: String
    /// When.
    package var at: Int64

    /// Describes a broken promise.
    package init(_ kind: Violation.Kind, _ text: String, at: Int64) {
        self.kind = kind
        self.text = text
        self.at = at
    }
}

/// Histories as files: one JSON object a line.
package enum HistoryFile {
    /// The line of an event, with its end.
    package static func line(_ event: HistoryEvent) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(event) + [UInt8(ascii: "\n")]
    }

    /// The events of a file.
    ///
    /// - Throws: an error of reading or decoding; a history that is cut is not checked.
    package static func read(_ path: String) throws -> [HistoryEvent] {
        try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
            .map { try event(of: $0) }
    }

    /// The event of a line.
    package static func event(of line: Data) throws -> HistoryEvent {
        try JSONDecoder().decode(HistoryEvent.self, from: line)
    }
}
