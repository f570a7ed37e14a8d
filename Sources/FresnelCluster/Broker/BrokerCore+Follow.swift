import FresnelModel
import FresnelWire

// Followed queries: admission, and the rounds that a tick begins.

extension BrokerCore {
    /// Why a query cannot be followed now; nil when it can, or is not to be.
    func refusalToFollow(_ search: WireSearch, of session: SessionID) -> String? {
        guard search.follow else { return nil }
        // What the slot frees makes room.
        let freed =
            tails.count(of: session, inSlot: search.slot)
            + queries.followCount(of: session, inSlot: search.slot)
        let own = tails.count(of: session) + queries.followCount(of: session) - freed
        guard own < Limits.followsPerClient else {
            return "this client follows \(own) queries, the most it may; cancel one first"
        }
        guard tails.count + queries.followCount - freed < Limits.follows else {
            return "\(Limits.follows) queries are followed, the most there may be; search again"
        }
        return nil
    }

    /// Begins rounds where something may have changed, a few at once.
    mutating func advanceTails(at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        var views: [[String]: LiveTail.View] = [:]
        let most = tails.roundCount + UInt64(tails.freeTurns(at: moment.instant))
        for tail in tails.candidates(committed: writes.committed, at: moment)
        where tails.roundCount < most {
            let view = views[tail.indexes] ?? view(of: tail.indexes)
            views[tail.indexes] = view
            let shards = view.shards
            let parts = UInt64(max(1, Set(shards.compactMap(\.worker)).count))
            let reserved =
                queries.reservedBytes(of: tail.client) + tails.reservedBytes(of: tail.client)
            // Counts send no hits ahead.
            guard
                tail.isCountOnly || reserved == 0
                    || reserved + parts * Limits.hitBatchBytes <= Limits.sessionWindowBytes
            else { continue }
            effects += perform(tails.advance(tail.number, view, at: moment), at: moment)
        }
        return effects
    }

    private func view(of indexes: [String]) -> LiveTail.View {
        LiveTail.View(
            shards: searchableShards(of: indexes), schema: state.schema(of: indexes),
            committed: writes.committed)
    }

    /// Follows the queries whose complete answers were just sent.
    mutating func beginTails() {
        for follow in queries.takeFollowed() {
            tails.begin(after: follow.stream, of: follow.client)
        }
        counters.changeRounds = tails.roundCount
    }
}
