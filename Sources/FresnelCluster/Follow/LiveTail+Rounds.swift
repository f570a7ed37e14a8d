import FresnelModel
import FresnelWire

// A round: which shards may have changed, the changes between two fixed states, and what is made of
// the end of a try. Legal transitions of `round`: none → running → none (whole), or running →
// waiting → running, as often as workers are lost.

extension LiveTail {
    /// What a round needs to know of the cluster.
    struct View {
        /// Every shard that the query covers.
        let shards: [SearchableShard]
        let schema: AttributeSchema
        /// The newest acknowledged number of every index.
        let committed: [String: SequenceNumber]
    }

    /// Begins a round when something may have changed, or goes on with one that waits.
    mutating func advance(
        _ view: View, as id: RequestID, at moment: Moment
    ) -> [QueryStream.Action] {
        let told = round == nil ? begin(view, at: moment) : []
        guard var current = round else { return told }
        let asked = view.shards.compactMap { shard -> SearchableShard? in
            let key = ShardKey(index: shard.index, shard: shard.shard)
            guard let since = current.since[key], let goal = current.goal[key] else { return nil }
            var shard = shard
            shard.since = since
            shard.snapshot = goal
            return shard
        }
        guard asked.allSatisfy({ $0.worker != nil }) else {
            // Its changes come when the worker is back.
            retryAt = moment.instant + Limits.followRetry
            return []
        }
        let plan: QueryPlan
        do throws(PlanRefusal) {
            plan = try self.plan(of: current, asked, view.schema, at: moment)
        } catch {
            return end(WireFailure(error))
        }
        lastTurn = id.low
        current.stream = QueryStream(
            plan, request: request, workerID: id, at: moment.instant,
            deadline: moment.instant + Limits.followRound, windowBytes: Limits.hitBatchBytes)
        round = current
        return drive(at: moment.instant) { $0.begin(at: moment.instant) }
    }

    /// Looks for shards in which something may have changed.
    ///
    /// What was written to no shard needs no asking: its number is told at once.
    private mutating func begin(_ view: View, at moment: Moment) -> [QueryStream.Action] {
        keepUp(view.shards, with: moment.wall.seconds)
        let toNow = isPinned ? now : max(now, moment.wall.seconds)
        var goal: [ShardKey: SequenceNumber] = [:]
        var since: [ShardKey: SequenceNumber] = [:]
        var isSettled = true
        for shard in view.shards {
            let key = ShardKey(index: shard.index, shard: shard.shard)
            let former = position[key] ?? .zero
            let newest = max(former, shard.snapshot)
            goal[key] = newest
            isSettled = isSettled && newest == view.committed[shard.index] ?? .zero
            let isTouched =
                newest > former && shard.settledSequence.map { $0 > former } ?? true
            let expires = !isPinned && validUntil[key] ?? -.infinity <= toNow
            if isTouched || expires { since[key] = former }
        }
        guard !since.isEmpty else {
            let from = Self.snapshots(of: position)
            position = goal
            let next = isPinned ? .infinity : validUntil.values.min() ?? .infinity
            quiet = isSettled ? (view.committed, next) : nil
            roundCount += 1
            let told = mark(marker(from: from))
            if !told.isEmpty { retryAt = moment.instant + Limits.followPause }
            return told
        }
        quiet = nil
        roundCount += 1
        round = ChangeRound(goal: goal, since: since, fromNow: now, toNow: toNow)
        return []
    }

    /// Brings the instant of the position up to now, where nothing has expired in between: versions
    /// are kept for a time only.
    private mutating func keepUp(_ shards: [SearchableShard], with wall: Double) {
        guard !isPinned else { return }
        var next = Double.infinity
        for shard in shards {
            let key = ShardKey(index: shard.index, shard: shard.shard)
            guard position[key] != nil else { continue }
            next = min(next, validUntil[key] ?? -.infinity)
        }
        now = max(now, min(wall, next.nextDown))
    }

    private func plan(
        of round: ChangeRound, _ asked: [SearchableShard], _ schema: AttributeSchema,
        at moment: Moment
    ) throws(PlanRefusal) -> QueryPlan {
        var search = search
        search.creditItems = min(credit.items, UInt64(Limits.creditItems))
        search.creditBytes = credit.bytes
        search.coverage = 1
        var plan = try QueryPlan(search, shards: asked, schema: schema, at: moment)
        plan.scored = []
        plan.page = round.lastKey.map { PagePosition(key: $0, isBackwards: false) }
        var span = WireChangeSpan()
        span.fromNow = round.fromNow
        span.toNow = round.toNow
        plan.changes = span
        return plan
    }

    /// Takes in how a try of the round ended.
    mutating func finish(
        _ done: WireDone, _ stream: QueryStream, at now: Instant
    ) -> [QueryStream.Action] {
        let used = credit.use(items: stream.credit.usedItems, bytes: stream.credit.usedBytes)
        precondition(used, "a round sent \(stream.credit) beyond \(credit)")
        round?.stream = nil
        if done.hasError { return end(done.error) }
        guard !done.complete else { return complete(done, stream, at: now) }
        if let key = stream.page.last { round?.lastKey = key }
        failures = stream.delivered > 0 ? 1 : failures + 1
        if let broken = brokenShard(of: stream, at: now) {
            // Also where changes came: a worker that invents some must not go on for ever.
            round?.brokenTries += 1
            if round?.brokenTries ?? 0 >= Limits.followTries { return end(over: broken) }
        }
        retryAt = now + Limits.followRetry * min(failures, 20)
        return []
    }

    private mutating func end(over shard: WireShardReport) -> [QueryStream.Action] {
        end(
            WireFailure(
                .indexUnreachable,
                "the changes of shard \(shard.shard) of \(shard.index) cannot be had: "
                    + "\(shard.message); search again"))
    }

    /// The shard whose worker broke a try by what it said; nil when the worker was lost, was busy
    /// from the beginning, or had the time that a try may take.
    private func brokenShard(of stream: QueryStream, at now: Instant) -> WireShardReport? {
        let isEarly = now - stream.startedAt < Limits.followRound / 2
        for part in stream.parts {
            let broken = part.reports.first { report in
                switch report.status {
                case .complete: false
                case .failed: true
                case .deadline: isEarly
                case .shed: part.expectedSequence > 0
                // The broker's own words, unless the worker took them into its mouth.
                case .unreachable, .cancelled, .unspecified, .UNRECOGNIZED: part.hasReported
                }
            }
            if let broken { return broken }
        }
        // Nobody but the broker cancels, and it does so over another shard.
        let open = stream.parts.flatMap(\.reports).filter { $0.status != .complete }
        return open.allSatisfy { $0.status == .cancelled } ? open.first : nil
    }

    private mutating func complete(
        _ done: WireDone, _ stream: QueryStream, at instant: Instant
    ) -> [QueryStream.Action] {
        guard let whole = round else { return [] }
        guard search.countOnly || whole.delivered == ChangeTally(done.shards) else {
            violations.count(.changesApply)
            return end(
                WireFailure(
                    .indexUnreachable,
                    "the tries of a round of changes contradict each other; search again"))
        }
        let from = Self.snapshots(of: position)
        round = nil
        failures = 0
        retryAt = instant + Limits.followPause
        position = whole.goal
        now = whole.toNow
        for report in stream.parts.flatMap(\.reports) {
            let next = report.nextExpiration
            validUntil[ShardKey(index: report.index, shard: ShardID(report.shard))] =
                next == 0 ? .infinity : next
        }
        return mark(marker(from: from, done.shards))
    }

    /// Tells the end of a round, unless nothing came, went or was written: nobody needs to hear
    /// that nothing has expired.
    private mutating func mark(_ reached: WireReached) -> [QueryStream.Action] {
        guard reached.from != reached.to || reached.added > 0 || reached.removed > 0 else {
            roundCount -= 1
            return []
        }
        var changes = WireChanges()
        changes.round = roundCount
        changes.reached = reached
        return [tell(changes)]
    }
}
