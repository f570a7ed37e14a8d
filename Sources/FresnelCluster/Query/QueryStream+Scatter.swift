import FresnelModel
import FresnelWire

// Scatter: asks every worker once for term statistics where scores are wanted, then for hits.

extension QueryStream {
    /// What a worker may send before the first refill.
    static func firstWindow(of plan: QueryPlan, bytes: UInt64) -> CreditWindow {
        let wanted = min(plan.search.creditItems, plan.limit ?? .max)
        return CreditWindow(
            items: max(1, min(wanted, Limits.workerWindowItems)), bytes: bytes)
    }

    /// What the client hears at once.
    var accepted: WireAccepted {
        var accepted = WireAccepted()
        accepted.owned = plan.owned
        accepted.warnings = plan.warnings.map(WireWarning.init)
        return accepted
    }

    mutating func askForStatistics(at now: Instant) -> [Action] {
        ask(parts.indices.map { .statistics(subquery(forPart: $0)) }, at: now)
    }

    mutating func scatter(at now: Instant) -> [Action] {
        ask(parts.indices.map { .subquery(subquery(forPart: $0)) }, at: now)
    }

    /// Takes in one worker's statistics.
    ///
    /// Each part is asked for them once, and for hits only after that: in place of hits they are
    /// out of turn.
    mutating func count(_ statistics: WireStatistics, part number: Int, at now: Instant) -> [Action]
    {
        guard case .counting = parts[number].phase else {
            let fault = StreamFault(.verbsInTurn, "answered with statistics in place of hits")
            return giveUp(part: number, because: fault, at: now)
        }
        if let fault = fault(in: statistics) {
            return giveUp(part: number, because: fault, at: now)
        }
        parts[number].statistics = statistics
        return []
    }

    /// Why statistics cannot be true: other workers would compute with them.
    func fault(in statistics: WireStatistics) -> StreamFault? {
        let leaves = statistics.leafDocuments
        guard leaves.count <= plan.scoredComparisons else {
            return StreamFault(
                .statisticsTrue,
                "its worker counted \(leaves.count) comparisons, \(plan.scoredComparisons) score")
        }
        guard leaves.allSatisfy({ $0 <= statistics.documents }) else {
            return StreamFault(.statisticsTrue, "its worker counted more matches than documents")
        }
        return nil
    }

    /// Sums the statistics and scatters, once every open part has answered.
    mutating func scatterWhenCounted(at now: Instant) -> [Action] {
        guard parts.allSatisfy({ !$0.isOpen || $0.statistics != nil }) else { return [] }
        phase = .streaming
        for number in parts.indices where parts[number].isOpen { parts[number].phase = .streaming }
        return scatter(at: now)
    }

    /// Sends every open part its command.
    private mutating func ask(_ commands: [Command], at now: Instant) -> [Action] {
        let budget = Budget.handedOn(of: deadline - now) ?? .milliseconds(1)
        var actions: [Action] = []
        for number in parts.indices where parts[number].isOpen {
            // A QUERY, all custom keys and 64 targets fit; more, and listed values, are counted.
            if parts[number].targets.count > 64 || plan.isRest,
                let (bytes, limit) = commands[number].overflow
            {
                parts[number].close(
                    as: .failed,
                    because: "its part of the query is \(bytes) bytes, \(limit) are allowed; "
                        + "search fewer indexes at once", at: now)
                continue
            }
            parts[number].sentAt = parts[number].sentAt ?? now
            actions.append(toWorker(number, commands[number], budget: budget))
        }
        return actions
    }

    /// Sends a part that was added the command that the others have.
    func askMoved(_ number: Int, at now: Instant) -> [Action] {
        let budget = Budget.handedOn(of: deadline - now) ?? .milliseconds(1)
        let subquery = subquery(forPart: number)
        return [
            toWorker(
                number, phase == .counting ? .statistics(subquery) : .subquery(subquery),
                budget: budget)
        ]
    }

    private func subquery(forPart number: Int) -> WireSubquery {
        var subquery = WireSubquery()
        var search = plan.search
        search.creditItems = parts[number].window.grantedItems
        search.creditBytes = parts[number].window.grantedBytes
        if plan.ordersParts, search.delivery == .found { search.delivery = .settled }
        subquery.search = search
        subquery.targets = parts[number].targets.map { shard in
            var target = WireShardTarget()
            target.index = shard.index
            target.shard = shard.shard.number
            target.snapshot = shard.snapshot.value
            target.since = shard.since?.value ?? 0
            target.epoch = shard.epoch.value
            return target
        }
        subquery.page = parts[number].page
        if plan.isRest { subquery.rest = plan.rest[number] }
        if let changes = plan.changes { subquery.changes = changes }
        subquery.customKeys = plan.customKeys.map(WireCustomKey.init)
        if plan.isScored, phase == .streaming {
            if awaitsOwnStatistics {
                subquery.ownStatistics = true
            } else {
                subquery.statistics = statistics(forPart: number)
            }
        }
        return subquery
    }
}
