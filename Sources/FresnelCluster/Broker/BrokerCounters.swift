/// What a broker counts, for status and for the simulator's invariants.
package struct BrokerCounters: Hashable, Sendable {
    /// Queries that were accepted, and completions sent: equal once nothing is running.
    package var acceptedQueries: UInt64 = 0
    package var completions: UInt64 = 0
    /// Queries that were refused because they would have waited too long.
    package var delayedQueries: UInt64 = 0
    /// Hits sent to clients.
    package var deliveredHits: UInt64 = 0
    package var acknowledgedBatches: UInt64 = 0
    /// Requests answered with an error or BUSY.
    package var refusals: UInt64 = 0
    /// Frames that are no message, by anyone.
    package var unreadableMessages: UInt64 = 0
    /// Messages from addresses without a session.
    package var strangers: UInt64 = 0
    /// Answers of workers to queries that are over.
    package var lateAnswers: UInt64 = 0
    package var unreachableSends: UInt64 = 0
    /// What workers broke, by promise.
    package var violations = ViolationCounts()
    /// Parts that failed because their worker said what cannot be: each broke one promise.
    package var faultyParts: UInt64 { violations.total - violations[.replicasConverge] }
    /// Messages that had to wait because a client did not read.
    package var stalledSends: UInt64 = 0
    /// Sessions that ended because more waited for the peer than may.
    package var congestedSends: UInt64 = 0
    /// Messages for a peer whose lane is gone.
    package var undeliverable: UInt64 = 0
    package var evictedPeers: UInt64 = 0
    package var failedPersists: UInt64 = 0
    /// Queries scored with term statistics of an earlier one, and those that had to begin again
    /// because a worker found them old.
    package var rememberedStatistics: UInt64 = 0
    package var recounts: UInt64 = 0
    /// Queries that were answered with an answer that was kept.
    package var keptAnswers: UInt64 = 0
    /// Rounds of followed queries that were begun, and hits that came or went by them.
    package var changeRounds: UInt64 = 0
    package var deliveredChanges: UInt64 = 0

    /// Replicas that left the in-sync set of their shard, and that joined it.
    package var excludedReplicas: UInt64 = 0
    package var rejoinedReplicas: UInt64 = 0
    /// Times that new parts of an index waited for replicas that lacked little.
    package var pausesForReplicas: UInt64 = 0
    /// Replicas that came back without what was acknowledged, that could not be opened since they
    /// are damaged, and whose content was not that of the others.
    package var staleReplicas: UInt64 = 0
    package var damagedReplicas: UInt64 = 0
    package var differingReplicas: UInt64 = 0
    /// Times that the contents of a shard's replicas were compared.
    package var comparisons: UInt64 = 0
    /// Tries to make a replica equal to another one that failed.
    package var failedCopies: UInt64 = 0
    /// Messages refused because they were meant for, or came from, what a replica was before.
    package var staleEpochs: UInt64 = 0
    package var refusedNames: UInt64 = 0
    /// Replicas that began to go to another worker, that have gone, and that were removed.
    package var begunMoves: UInt64 = 0
    package var finishedMoves: UInt64 = 0
    package var droppedReplicas: UInt64 = 0
    /// Parts of queries that were asked again of another replica.
    package var movedParts: UInt64 = 0
    /// Indexes that were copied to a store or made from one.
    package var snapshots: UInt64 = 0

    package init() {}

    /// Name and value of every counter, in a fixed order.
    package var all: [(name: String, value: UInt64)] {
        [
            ("acceptedQueries", acceptedQueries), ("delayedQueries", delayedQueries),
            ("completions", completions),
            ("deliveredHits", deliveredHits), ("acknowledgedBatches", acknowledgedBatches),
            ("refusals", refusals), ("unreadableMessages", unreadableMessages),
            ("strangers", strangers), ("lateAnswers", lateAnswers),
            ("unreachableSends", unreachableSends), ("congestedSends", congestedSends),
            ("undeliverable", undeliverable), ("evictedPeers", evictedPeers),
            ("failedPersists", failedPersists), ("faultyParts", faultyParts),
            ("stalledSends", stalledSends), ("rememberedStatistics", rememberedStatistics),
            ("recounts", recounts), ("keptAnswers", keptAnswers), ("changeRounds", changeRounds),
            ("deliveredChanges", deliveredChanges), ("excludedReplicas", excludedReplicas),
            ("rejoinedReplicas", rejoinedReplicas), ("failedCopies", failedCopies),
            ("pausesForReplicas", pausesForReplicas),
            ("staleReplicas", staleReplicas), ("damagedReplicas", damagedReplicas),
            ("differingReplicas", differingReplicas), ("comparisons", comparisons),
            ("staleEpochs", staleEpochs), ("refusedNames", refusedNames),
            ("movedParts", movedParts),
            ("begunMoves", begunMoves), ("finishedMoves", finishedMoves),
            ("droppedReplicas", droppedReplicas),
            ("snapshots", snapshots),
        ] + violations.all
    }
}
