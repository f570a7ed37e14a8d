import FresnelModel
import FresnelWire

// A finished stream as an answer that can be told again, and a stream that tells it.

extension QueryStream {
    /// What was told, if it is whole, not too large, and of the state that the question names.
    func keptAnswer(to question: KeptAnswers.Question) -> KeptAnswers.Answer? {
        guard let done = told.done, done.complete, !told.isTooLarge, violations.total == 0
        else { return nil }
        let read = done.shards.map {
            ReadShard(key: ShardKey(index: $0.index, shard: ShardID($0.shard)), at: $0.sequence)
        }.sorted { $0.key < $1.key }
        guard read == question.shards.map({ ReadShard(key: $0.key, at: $0.sequence.value) })
        else { return nil }
        let validUntil = done.shards.map(\.nextExpiration).filter { $0 != 0 }.min() ?? .infinity
        guard validUntil > plan.search.context.now else { return nil }
        return KeptAnswers.Answer(
            batches: told.batches, done: done, page: page, now: plan.search.context.now,
            validUntil: validUntil)
    }

    private struct ReadShard: Equatable {
        let key: ShardKey
        let sequence: UInt64

        init(key: ShardKey, at sequence: UInt64) {
            self.key = key
            self.sequence = sequence
        }
    }

    /// Takes a kept answer that goes beyond the client's credit, before the stream begins: its hits
    /// are released as if they had just come, of parts that have ended.
    mutating func take(_ answer: KeptAnswers.Answer, at now: Instant) {
        phase = .streaming
        isKept = true
        statisticsSource = StatisticsSource(rawValue: answer.done.statistics) ?? statisticsSource
        var done = WirePartDone()
        done.shards = answer.done.shards
        for number in parts.indices { parts[number].close(with: done, at: now) }
        var count: UInt64 = 0
        for batch in answer.batches {
            parts[0].hits.keep(batch.opened, firstHit: count)
            count += batch.items
        }
    }

    /// Tells a kept answer to a new query, and is finished.
    ///
    /// Cursors and sequence numbers are those of the new query's state, which differs from the
    /// former in numbers only.
    mutating func tell(_ answer: KeptAnswers.Answer, at now: Instant) -> [Action] {
        var actions = plan.search.unannounced ? [] : [toClient(.accepted(accepted))]
        for batch in answer.batches {
            let isWithinCredit = credit.use(
                items: batch.items, bytes: UInt64(batch.payload.count))
            precondition(isWithinCredit, "a kept answer goes beyond \(credit)")
            delivered += batch.items
            var found = WireFound()
            found.items = batch.items
            found.total = delivered
            actions.append(
                toClient(.found(found), payload: batch.payload, sequence: nextSequence))
            nextSequence += 1
        }
        page = answer.page
        phase = .finished
        var done = answer.done
        done.kept = true
        done.snapshot = snapshots
        done.warnings = plan.warnings.map(WireWarning.init)
        (done.nextBytes, done.previousBytes) = ([], [])
        addCursors(to: &done)
        done.elapsedUs = (now - startedAt).wholeMicroseconds
        return actions + [toClient(.done(done))]
    }
}

extension KeptAnswers.Answer.Batch {
    /// The hits, which a stream of this broker has sent before.
    fileprivate var opened: HitBatch {
        do throws(WireError) {
            return try HitBatch(payload, mayBeFrontCoded: true)
        } catch {
            preconditionFailure("a batch of \(items) hits that was sent is damaged: \(error)")
        }
    }
}

/// What a stream told its client so far, as long as that is worth telling again.
struct ToldAnswer: Sendable {
    private(set) var batches: [KeptAnswers.Answer.Batch] = []
    private(set) var done: WireDone?
    private(set) var isTooLarge: Bool
    /// Bytes of hits that are remembered.
    let limit: Int
    private var bytes = 0

    /// One that remembers nothing: nobody will ask for it.
    init() {
        limit = 0
        isTooLarge = true
    }

    /// - Parameter limit: bytes of hits, and of what each batch takes beside them.
    init(upTo limit: Int) {
        self.limit = limit
        isTooLarge = false
    }

    /// Takes in what is sent.
    mutating func note(_ action: QueryStream.Action) {
        guard !isTooLarge, case .toClient(let message) = action else { return }
        switch message.command {
        case .found(let found):
            let payload = message.payload ?? []
            bytes += payload.count + KeptAnswers.Answer.Batch.overheadBytes
            guard bytes <= limit else {
                batches = []
                isTooLarge = true
                return
            }
            batches.append(.init(items: found.items, payload: payload))
        case .done(let done): self.done = done
        default: break
        }
    }
}
