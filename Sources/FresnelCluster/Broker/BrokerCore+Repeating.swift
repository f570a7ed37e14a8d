import FresnelModel
import FresnelWire

// Answers by heart (`RepeatedAnswers`, decision 0043).

extension BrokerCore {
    /// Answers a query by heart; nil where that is not possible.
    mutating func repeatAnswer(
        to search: WireSearch, _ request: Envelope, from session: SessionID, at moment: Moment
    ) -> [BrokerEffect]? {
        guard let entry = repeated.entry(for: search, at: moment),
            entry.standing == standing(of: search.indexes), !queries.held.contains(session),
            !clocks.isDoubtful(at: moment)
        else { return nil }
        queries.keptAnswerCount += 1
        counters.keptAnswers = queries.keptAnswerCount
        counters.acceptedQueries += 1
        counters.deliveredHits += entry.answer.items
        note(completion: entry.answer.done)
        return entry.messages.flatMap { message in
            var envelope = request.reply
            envelope.sequence = message.envelope.sequence
            return send(Message(envelope, message.command, payload: message.payload), to: session)
        }
    }

    /// Remembers what a query was told, where no worker was asked.
    mutating func learn(_ effects: [BrokerEffect], to search: WireSearch, at moment: Moment) {
        guard let answer = queries.toldAnswer,
            RepeatedAnswers.isWorthKnowing(answer, to: search), !clocks.isDoubtful(at: moment),
            let request = Command.query(search).controlBytes
        else { return }
        let messages = effects.folded.compactMap { effect in
            if case .send(let message, _) = effect { message } else { nil }
        }
        repeated.note(
            RepeatedAnswers.Entry(
                messages: messages, answer: answer, standing: standing(of: search.indexes),
                toldAt: moment.instant, requestBytes: request.count),
            for: search)
    }

    private mutating func standing(of indexes: [String]) -> ShardStandings.Number {
        if let number = standings.number(of: indexes) { return number }
        let standing = ShardStandings.Standing(
            standingShards(of: indexes), structureVersion: structureVersion)
        return standings.note(standing, of: indexes)
    }

    /// The shards of some indexes as a query finds them: looked up once after each event that may
    /// move them, or for each query where they have several replicas.
    mutating func standingShards(of indexes: [String]) -> [SearchableShard] {
        if let shards = standings.shards(of: indexes) { return shards }
        let shards = presentShards(of: indexes)
        standings.note(shards, of: indexes)
        return shards
    }
}

extension BrokerEvent {
    /// False for what moves no shard: a client's QUERY, CREDIT, CANCEL, PING and PONG, and FOUND,
    /// PART_DONE and STATISTICS_REPLY of a worker.
    ///
    /// That a silent worker is heard again by one of these, or loses its session, is noted where it
    /// happens.
    var mayMoveShards: Bool {
        guard case .received(let message, let address) = self else { return true }
        return switch message.verb {
        case .query, .credit, .cancel, .ping, .pong: address.side != .client
        case .found, .partDone, .statisticsReply: address.side != .worker
        default: true
        }
    }
}
