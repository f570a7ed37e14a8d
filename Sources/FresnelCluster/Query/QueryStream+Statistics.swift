import FresnelModel
import FresnelQuery
import FresnelWire

// Statistics: where the counts behind the scores of a query come from. They are asked for in a
// round of their own, or known from an earlier query; then the workers check while they match that
// they are still true, and the query begins again, asking, when one of them says that they are not.
// Where one worker has all that is searched, it counts for itself: there is nobody to agree with
// (Documentation/decisions/0029-one-part-counts-for-itself.md).

/// Where a query's term statistics come from.
package enum StatisticsSource: String, Hashable, Sendable {
    /// Nothing is scored.
    case none
    /// Every worker was asked.
    case asked
    /// An earlier query's, over the same shards in the same state.
    case cached
}

extension QueryPlan {
    /// Whether the counts of the only part are those of all that is searched.
    ///
    /// A page is scored as the page before it was, by however many workers.
    var countsWhereItMatches: Bool {
        isScored && parts.count == 1 && page == nil && changes == nil && !isRest
    }
}

extension QueryStream {
    /// Whether the only part is yet to tell what it counted.
    var awaitsOwnStatistics: Bool {
        takesOwnStatistics && parts.allSatisfy { $0.statistics == nil }
    }

    /// Takes in what the only part counted, with the first that it tells; another replica that goes
    /// on for it scores with the same.
    mutating func noteOwnStatistics(
        _ statistics: WireStatistics?, part number: Int
    ) -> StreamFault? {
        guard awaitsOwnStatistics else { return nil }
        guard let statistics else {
            return StreamFault(.statisticsTrue, "its worker did not tell what it scored with")
        }
        if let fault = fault(in: statistics) { return fault }
        // Whoever goes on for it would score what is not there as found nowhere.
        guard statistics.leafDocuments.count == plan.scoredComparisons else {
            return StreamFault(.statisticsTrue, "its worker did not count all that scores")
        }
        parts[number].statistics = statistics
        return nil
    }

    /// The same of a part that found nothing; one that could not search tells none.
    mutating func takeStatistics(
        of done: WirePartDone, part number: Int, at now: Instant
    ) -> [Action] {
        guard !done.hasError,
            let fault = noteOwnStatistics(
                done.hasStatistics ? done.statistics : nil, part: number)
        else { return [] }
        return giveUp(part: number, because: fault, at: now)
    }

    /// Asks for counts before hits, since what the only part had is asked of several workers, or
    /// has not all found one.
    mutating func countFirst(at now: Instant) {
        takesOwnStatistics = false
        phase = .counting
        countingSince = now
    }

    /// Whether a worker might still say that the statistics it was given are not true any more.
    ///
    /// Nothing is delivered before: it would have to be taken back.
    var isUnconfirmed: Bool {
        switch statisticsSource {
        case .none, .asked: false
        case .cached:
            parts.indices.contains { number in
                parts[number].isOpen && parts[number].expectedSequence == 0
                    && !parts[number].isConfirmed
            }
        }
    }

    /// Whether an answer to part `number` says that the statistics it was given are old.
    func isObjection(_ command: Command, part number: Int) -> Bool {
        guard case .statisticsReply = command, statisticsSource == .cached,
            parts[number].phase == .streaming
        else { return false }
        return parts[number].expectedSequence == 0 && !parts[number].isConfirmed && delivered == 0
    }

    /// Begins again under another id, asking every worker that is still there, and others for what
    /// lost ones had; what was delivered does not come again.
    mutating func recount(
        as id: RequestID, at now: Instant, _ replicas: Replicas = { _ in [] }
    ) -> [Action] {
        precondition(
            delivered == 0 || plan.page?.isBackwards == true,
            "\(delivered) hits were delivered with unconfirmed scores")
        var actions: [Action] = []
        for number in parts.indices where parts[number].isOpen && !parts[number].isWorkerLost {
            actions.append(toWorker(number, .cancel))
        }
        // What a part that was moved sent is asked for again.
        for number in parts.indices where parts[number].targets.isEmpty {
            parts[number].hits.discard()
            parts[number].statistics = nil
            parts[number].beyond = 0
        }
        for number in parts.indices where parts[number].isOpen || parts[number].hasReported {
            guard parts[number].isWorkerLost else {
                parts[number] = fresh(parts[number].worker, parts[number].targets)
                continue
            }
            let (byWorker, left) = Self.places(of: parts[number], replicas)
            if !byWorker.isEmpty { movedParts += 1 }
            for (worker, targets) in byWorker.sorted(by: { $0.key < $1.key }) {
                parts.append(fresh(worker, targets))
            }
            parts[number].hits.discard()
            parts[number].statistics = nil
            parts[number].beyond = 0
            parts[number].leave(left, at: now)
            guard !left.isEmpty else { continue }
            parts[number].close(
                as: .unreachable, because: "worker \(parts[number].worker) was lost", at: now)
        }
        best = Self.bestHits(of: plan, parts: parts.count)
        wantedThreshold = nil
        threshold = nil
        workerID = id
        page.repeated = page.last
        page.skipped = nil
        cached = nil
        mustRecount = false
        takesOwnStatistics = false
        countingSince = now
        statisticsSource = plan.isScored ? .asked : .none
        phase = plan.isScored ? .counting : .streaming
        actions += plan.isScored ? askForStatistics(at: now) : scatter(at: now)
        return actions + advance(at: now)
    }

    /// A part from its beginning.
    private func fresh(_ worker: WorkerID, _ targets: [SearchableShard]) -> QueryPart {
        var part = QueryPart(
            worker: worker, targets: targets, phase: plan.isScored ? .counting : .streaming,
            window: Self.firstWindow(of: plan, bytes: windowBytes))
        part.page = plan.page
        return part
    }

    /// What was counted, and what was asked; nil where that is not to be remembered.
    var countedQuestion: (question: StatisticsCache.Question, entry: StatisticsCache.Counts)? {
        guard let entry = countedEntry, let question = plan.question else { return nil }
        return (question, entry)
    }

    /// What was counted, when every part answered and their shards stand at known places.
    var countedEntry: StatisticsCache.Counts? {
        guard statisticsSource == .asked, movedParts == 0 else { return nil }
        var sequences: [UInt64] = []
        var validUntil = 0.0
        for part in parts {
            guard let statistics = part.statistics,
                statistics.sequences.count == part.targets.count,
                statistics.leafDocuments.count == plan.scoredComparisons,
                statistics.validUntil.isFinite
            else { return nil }
            for (sequence, target) in zip(statistics.sequences, part.targets)
            where sequence > target.snapshot.value {
                // The shard has more than was counted: what it had at the snapshot has no name.
                return nil
            }
            sequences += statistics.sequences
            if statistics.validUntil != 0 {
                validUntil =
                    validUntil == 0
                    ? statistics.validUntil : min(validUntil, statistics.validUntil)
            }
        }
        let sum = summedStatistics
        return StatisticsCache.Counts(
            documents: sum.documents, leafDocuments: sum.leafDocuments, sequences: sequences,
            now: plan.search.instant.seconds, validUntil: validUntil)
    }

    /// The statistics that part `number` scores with.
    func statistics(forPart number: Int) -> WireStatistics {
        guard let cached else { return summedStatistics }
        var statistics = WireStatistics()
        statistics.documents = cached.documents
        statistics.leafDocuments = cached.leafDocuments
        // Other workers have accepted them already, and hits may have been delivered.
        guard !parts[number].isConfirmed else { return statistics }
        if plan.parts.count == 1, parts[number].targets.count == cached.sequences.count {
            statistics.sequences = cached.sequences
            return statistics
        }
        guard number >= plan.parts.count else {
            let first = plan.parts[..<number].reduce(0) { $0 + $1.targets.count }
            statistics.sequences = Array(
                cached.sequences[first..<first + plan.parts[number].targets.count])
            return statistics
        }
        let places = plan.parts.flatMap(\.targets).map {
            ShardKey(index: $0.index, shard: $0.shard)
        }
        let sequences = Dictionary(zip(places, cached.sequences)) { first, _ in first }
        statistics.sequences = parts[number].targets.map {
            sequences[ShardKey(index: $0.index, shard: $0.shard)] ?? 0
        }
        return statistics
    }

    /// Document counts over all shards; sums of whole numbers, so the order of parts is no matter.
    private var summedStatistics: WireStatistics {
        var sum = WireStatistics()
        for statistics in parts.compactMap(\.statistics) {
            sum.documents = [sum.documents, statistics.documents].saturatingSum
            for (leaf, count) in statistics.leafDocuments.enumerated() {
                if leaf == sum.leafDocuments.count { sum.leafDocuments.append(0) }
                sum.leafDocuments[leaf] = [sum.leafDocuments[leaf], count].saturatingSum
            }
        }
        return sum
    }
}
