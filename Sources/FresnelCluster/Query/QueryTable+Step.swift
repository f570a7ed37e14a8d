import FresnelModel

extension QueryTable.Entry {
    /// What came of letting a stream act once.
    struct Step {
        let actions: [QueryTable.Action]
        let formerViolations: ViolationCounts
        let violations: ViolationCounts
        /// Parts that were asked again of other replicas.
        let movedParts: Int
        /// What its workers counted, for the next that asks the same.
        let counted: (question: StatisticsCache.Question, entry: StatisticsCache.Counts)?
        let isFinished: Bool
        /// Whether its answer was complete.
        let isComplete: Bool
    }

    /// Lets the stream act.
    ///
    /// - Parameter held: the clients whose data lane is full.
    mutating func step(
        whileHeld held: Set<SessionID>, at now: Instant?,
        _ act: (inout QueryStream) -> [QueryStream.Action]
    ) -> Step {
        stream.isHeld = held.contains(client)
        let former = (violations: stream.violations, moves: stream.movedParts)
        let wasCounting = stream.phase == .counting
        let awaitedCounts = stream.awaitsOwnStatistics
        let acted = act(&stream)
        let hasCounted =
            stream.phase != .counting
            && (wasCounting || awaitedCounts && !stream.awaitsOwnStatistics)
        // Workers tell how long the second question lay in their queues, not the first.
        if wasCounting, stream.phase != .counting { waitsSince = now }
        let actions = acted.map { action in
            stream.told.note(action)
            return action.addressed(to: client)
        }
        return Step(
            actions: actions, formerViolations: former.violations, violations: stream.violations,
            movedParts: stream.movedParts - former.moves,
            counted: hasCounted ? stream.countedQuestion : nil,
            isFinished: stream.phase == .finished, isComplete: acted.last?.isComplete == true)
    }
}
