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
        let batches = told.batches(mayBeFrontCoded: plan.takesFrontCoded)
        guard batches.count <= Limits.keptAnswerBatches else { return nil }
        return KeptAnswers.Answer(
            batches: batches, done: done, page: page, now: plan.search.context.now,
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

    /// Whether it tells a kept answer, and no worker is asked.
    var isKept: Bool { keptBytes > 0 }

    /// Takes a kept answer that may not be sent at once, before the stream begins.
    ///
    /// Its hits are released as if they had just come, of one part that has ended; what they cost
    /// stays in memory until then, also when the answer is kept no more.
    mutating func take(_ answer: KeptAnswers.Answer) {
        phase = .streaming
        keptBytes = UInt64(answer.byteCount)
        statisticsSource = StatisticsSource(rawValue: answer.done.statistics) ?? statisticsSource
        // Nothing is counted, compared or narrowed any more.
        takesOwnStatistics = false
        best = nil
        parts = [QueryPart(of: answer)]
    }

    /// Tells a kept answer to a new query, and is finished.
    ///
    /// Cursors and sequence numbers are those of the new query's state, which differs from the
    /// former in numbers only.
    mutating func tell(_ answer: KeptAnswers.Answer, at now: Instant) -> [Action] {
        var actions = plan.search.unannounced ? [] : [toClient(.accepted(accepted))]
        for batch in answer.batches {
            let items = UInt64(batch.count)
            let isWithinCredit = credit.use(items: items, bytes: UInt64(batch.bytes.count))
            precondition(isWithinCredit, "a kept answer goes beyond \(credit)")
            delivered += items
            var found = WireFound()
            found.items = items
            found.total = delivered
            if nextSequence == 0 { found.booleans = plan.booleans }
            actions.append(
                toClient(.found(found), payload: batch.bytes, sequence: nextSequence))
            nextSequence += 1
        }
        page = answer.page
        phase = .finished
        var done = answer.done
        done.kept = true
        done.booleans = plan.booleans
        done.snapshot = snapshots
        done.warnings = plan.warnings(on: done.shards).map(WireWarning.init)
        (done.nextBytes, done.previousBytes) = ([], [])
        addCursors(to: &done)
        done.elapsedUs = (now - startedAt).wholeMicroseconds
        return actions + [toClient(.done(done))]
    }
}

extension QueryPart {
    /// One that has ended: it has all hits of a kept answer, and tells what was reported with them.
    fileprivate init(of answer: KeptAnswers.Answer) {
        self.init(
            worker: WorkerID(""), targets: [], phase: .closed,
            window: CreditWindow(items: 0, bytes: 0))
        reports = answer.done.shards
        var count: UInt64 = 0
        for batch in answer.batches {
            hits.keep(batch, firstHit: count)
            count += UInt64(batch.count)
        }
    }
}

/// What a stream told its client so far, as long as that is worth telling again.
struct ToldAnswer: Sendable {
    private var payloads: [[UInt8]] = []
    private(set) var done: WireDone?
    private(set) var isTooLarge: Bool
    /// Bytes of hits that are remembered.
    let limit: Int
    private var bytes = 0

    /// What a payload takes beside its bytes, about.
    private static var overheadBytes: Int { 64 }

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
        case .found:
            let payload = message.payload ?? []
            bytes += payload.count + Self.overheadBytes
            guard bytes <= limit else {
                payloads = []
                isTooLarge = true
                return
            }
            payloads.append(payload)
        case .done(let done): self.done = done
        default: break
        }
    }

    /// The hits, small batches joined: how few this client granted at a time is nothing to those
    /// who ask the same.
    func batches(mayBeFrontCoded: Bool) -> [HitBatch] {
        let told = payloads.map { payload in
            do throws(WireError) {
                return try HitBatch(payload, mayBeFrontCoded: mayBeFrontCoded)
            } catch {
                preconditionFailure("\(payload.count) bytes of hits were sent damaged: \(error)")
            }
        }
        return HitBatch.joined(told, below: Limits.hitBatchTargetBytes)
    }
}
