// What is always true of a query's stream, each promise named once. The simulator checks them and
// names what broke, tests cite them, and a broker counts what its workers break of them.

/// A promise about streams that holds at every moment, whatever goes wrong.
package enum StreamInvariant: String, Hashable, Sendable, CaseIterable {
    case settledPrefixFinal
    case orderAscending
    case boundMonotone
    case creditNeverExceeded
    case sequenceUnbroken
    case messagesReadable
    case verbsInTurn
    case exactlyOneCompletion
    case manifestSumsToOwned
    case countsTrue
    case statisticsTrue
    case digestEqualAcrossReplicas
    case answerExact
    case pagesHoldStill
    case memoryBounded
    case changesApply
    case writesKept
    case oneEpoch
    case replicasConverge
    case survivesOneWorker
    case movesUnnoticed
    case droppedSilent
    case readableCommitted
    case deletedStaysDeleted
    case stateFitsItems
    case snapshotWhole
    case restReached

    /// The promise in one sentence.
    package var promise: String {
        switch self {
        case .settledPrefixFinal:
            "what was delivered in order is the beginning of the final answer and stays it"
        case .orderAscending: "hits of an ordered delivery never descend by sort key"
        case .boundMonotone: "a bound never goes back, and no later hit precedes it"
        case .creditNeverExceeded: "nobody sends more hits or bytes than it was granted"
        case .sequenceUnbroken: "the batches of a stream are numbered from 0 without gaps"
        case .messagesReadable: "what is sent can be read"
        case .verbsInTurn: "a peer says what is due, and nothing else"
        case .exactlyOneCompletion: "every query and every part ends once, and nothing follows"
        case .manifestSumsToOwned:
            "a manifest names every shard of the query once, and is complete only if all that the "
                + "shards own was searched"
        case .countsTrue: "what is claimed to be counted, found or sent is what was"
        case .statisticsTrue: "every score of an answer is made with the same, true statistics"
        case .digestEqualAcrossReplicas:
            "the digest is that of the delivered order, and the same for whoever asks the same"
        case .answerExact:
            "an answer shows only what was written, and a complete one misses nothing acknowledged"
        case .pagesHoldStill: "no page repeats, moves or misses a document of its answer"
        case .memoryBounded: "tables, queues and windows stay within their limits"
        case .changesApply: "an old answer with the changes of a round is the fresh answer"
        case .writesKept: "an acknowledged write is kept, whatever happens to processes"
        case .oneEpoch: "an epoch of a shard stands for one set of replicas, for ever"
        case .replicasConverge:
            "replicas that are in sync hold the same versions, and all come to be in sync"
        case .survivesOneWorker:
            "while every shard has two replicas in sync, no query fails when one worker dies"
        case .movesUnnoticed:
            "while replicas move and nobody dies, every shard can be searched and no query fails"
        case .droppedSilent: "nobody is asked for a replica that it was told to remove"
        case .readableCommitted:
            "only replicas in sync are read, up to parts that all of them have which are here"
        case .deletedStaysDeleted:
            "what an acknowledged write deleted or replaced is not seen again"
        case .stateFitsItems:
            "a client state that can be fetched is that of a batch whose items are stored"
        case .snapshotWhole:
            "a snapshot is whole or not there, and an index is made only of whole shards"
        case .restReached: "once misfortunes end, everything asked comes to its end without a rest"
        }
    }
}

/// A broken promise: which one, and what was seen.
package struct StreamFault: Hashable, Sendable, CustomStringConvertible {
    package let invariant: StreamInvariant
    /// What was seen; lowercase, no full stop.
    package let description: String

    init(_ invariant: StreamInvariant, _ description: String) {
        self.invariant = invariant
        self.description = description
    }
}

/// How often each promise was seen broken.
package struct ViolationCounts: Hashable, Sendable {
    private var counts: [StreamInvariant: UInt64] = [:]

    package init() {}

    package subscript(invariant: StreamInvariant) -> UInt64 { counts[invariant] ?? 0 }

    /// Every violation.
    package var total: UInt64 { counts.values.reduce(0, +) }

    /// The counts with the name that each has in a status, in a fixed order.
    package var all: [(name: String, value: UInt64)] {
        StreamInvariant.workerPromises.map { ("violations.\($0.rawValue)", self[$0]) }
    }

    mutating func count(_ invariant: StreamInvariant) { counts[invariant, default: 0] += 1 }

    /// Adds what `newer` counted beyond `older`.
    mutating func add(_ newer: ViolationCounts, since older: ViolationCounts) {
        guard newer != older else { return }
        for (invariant, count) in newer.counts {
            counts[invariant, default: 0] += count - older[invariant]
        }
    }
}

extension StreamInvariant {
    /// The promises that a broker can see its workers break.
    package static let workerPromises: [StreamInvariant] = [
        .orderAscending, .boundMonotone, .creditNeverExceeded, .sequenceUnbroken,
        .messagesReadable, .verbsInTurn, .exactlyOneCompletion, .manifestSumsToOwned, .countsTrue,
        .statisticsTrue, .pagesHoldStill, .changesApply, .replicasConverge,
    ]
}
