import FresnelModel
import FresnelWire

// To tell a kept answer the broker looks where every shard stands, cuts the query into parts, and
// finds the answer under the name that both make; that is most of its work. Whoever is asked the
// very same again, while the shards stand where they stood, need not do it again. Where they stand
// is looked at once after each event that may move them, whatever it is, and has a number.

/// Kept answers as they were told a moment ago, for whoever asks the very same (decision 0043).
struct RepeatedAnswers: Sendable {
    /// The messages of one answer.
    struct Telling: Sendable {
        /// As they were sent, the completion last.
        let messages: [Message]
        /// Of which answer they tell.
        let answer: KeptAnswers.Answer
        /// Where the shards stood (`ShardStandings`).
        let standing: UInt64
        /// Its cursors name that instant.
        let toldAt: Instant
    }

    private var tellings: [WireSearch: Telling] = [:]
    private var bytes = 0

    /// What was told to the same request, down to its credit; nil where that is not known, is a
    /// second old, or may be another answer by now.
    func telling(to search: WireSearch, in standing: UInt64, at moment: Moment) -> Telling? {
        guard let telling = tellings[search], telling.standing == standing,
            moment.instant - telling.toldAt < Limits.repeatedAnswerAge,
            telling.answer.covers(moment.wall.seconds)
        else { return nil }
        return telling
    }

    /// Remembers what was told; what was told before is forgotten when it becomes much.
    ///
    /// A request with a slot ends another one, so it is not told by heart.
    mutating func note(_ telling: Telling, to search: WireSearch) {
        guard search.slot.isEmpty else { return }
        if bytes + telling.answer.byteCount > Limits.repeatedAnswersBytes {
            tellings.removeAll(keepingCapacity: true)
            bytes = 0
        }
        bytes += telling.answer.byteCount
        tellings[search] = telling
    }
}

/// Numbers for where the shards of some indexes stand: the same number, the same state.
struct ShardStandings: Sendable {
    /// All that an answer depends on beside the request and the time.
    struct Standing: Equatable, Sendable {
        /// Of the newest index or custom key.
        let structureVersion: UInt64
        let shards: [SearchableShard]

        init(_ shards: [SearchableShard], structureVersion: UInt64) {
            self.structureVersion = structureVersion
            // Which of several replicas is asked takes turns, and is no part of an answer.
            self.shards = shards.map { shard in
                var shard = shard
                shard.worker = shard.worker.map { _ in WorkerID("") }
                (shard.epoch, shard.documents) = (Epoch(0), 0)
                return shard
            }
        }
    }

    private struct Known: Sendable {
        var number: UInt64
        var standing: Standing
        /// The last event after which it was looked at.
        var event: UInt64
    }

    private var known: [[String]: Known] = [:]
    private var lastNumber: UInt64 = 0
    private var event: UInt64 = 0

    /// Something happened that may move a shard.
    mutating func noteEvent() { event += 1 }

    /// The number of where the shards of some indexes stand; nil where that has to be looked at.
    func number(of indexes: [String]) -> UInt64? {
        known[indexes].flatMap { $0.event == event ? $0.number : nil }
    }

    /// Takes in where they stand.
    mutating func note(_ standing: Standing, of indexes: [String]) -> UInt64 {
        guard known[indexes]?.standing != standing else {
            known[indexes]?.event = event
            return known[indexes]?.number ?? 0
        }
        if known.count >= Limits.rememberedStandings { known = [:] }
        lastNumber += 1
        known[indexes] = Known(number: lastNumber, standing: standing, event: event)
        return lastNumber
    }
}

extension BrokerCore {
    /// Answers a query by heart; nil where that is not possible.
    mutating func repeatAnswer(
        to search: WireSearch, _ request: Envelope, from session: SessionID, at moment: Moment
    ) -> [BrokerEffect]? {
        let standing = standing(of: search.indexes)
        guard let telling = repeated.telling(to: search, in: standing, at: moment),
            !queries.held.contains(session)
        else { return nil }
        queries.keptAnswerCount += 1
        counters.keptAnswers = queries.keptAnswerCount
        counters.acceptedQueries += 1
        counters.deliveredHits += telling.answer.items
        note(completion: telling.answer.done)
        return telling.messages.flatMap { message in
            var envelope = request.reply
            envelope.sequence = message.envelope.sequence
            return send(Message(envelope, message.command, payload: message.payload), to: session)
        }
    }

    /// Remembers what a query was told, where no worker was asked.
    mutating func learn(_ effects: [BrokerEffect], to search: WireSearch, at moment: Moment) {
        guard let answer = queries.toldAnswer else { return }
        let messages = effects.folded.compactMap { effect in
            if case .send(let message, _) = effect { message } else { nil }
        }
        repeated.note(
            RepeatedAnswers.Telling(
                messages: messages, answer: answer, standing: standing(of: search.indexes),
                toldAt: moment.instant),
            to: search)
    }

    private mutating func standing(of indexes: [String]) -> UInt64 {
        if let number = standings.number(of: indexes) { return number }
        let standing = ShardStandings.Standing(
            searchableShards(of: indexes), structureVersion: structureVersion)
        return standings.note(standing, of: indexes)
    }
}

extension BrokerEvent {
    /// Whether every shard stands where it stood, whatever comes of it: a client asks, or reads on.
    var isQuestion: Bool {
        guard case .received(let message, let address) = self, address.side == .client else {
            return false
        }
        return switch message.verb {
        case .query, .credit, .cancel, .ping, .pong: true
        default: false
        }
    }
}
