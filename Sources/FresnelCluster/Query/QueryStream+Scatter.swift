import FresnelModel
import FresnelWire

// Scatter: asks every worker once for term statistics where scores are wanted, then for hits.

extension QueryStream {
    /// What a worker may send before the first refill.
    static func firstWindow(of plan: QueryPlan) -> CreditWindow {
        let wanted = min(plan.search.creditItems, plan.limit ?? .max)
        return CreditWindow(
            items: max(1, min(wanted, Limits.workerWindowItems)), bytes: Limits.workerWindowBytes)
    }

    mutating func askForStatistics(at now: Instant) -> [Action] {
        ask(parts.map { .statistics(subquery(for: $0)) }, at: now)
    }

    mutating func scatter(at now: Instant) -> [Action] {
        ask(parts.map { .subquery(subquery(for: $0)) }, at: now)
    }

    /// Takes in one worker's statistics.
    mutating func count(_ statistics: WireStatistics, part number: Int, at now: Instant) -> [Action]
    {
        guard case .counting = parts[number].phase else { return [] }
        parts[number].statistics = statistics
        return []
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
            parts[number].sentAt = now
            actions.append(toWorker(number, commands[number], budget: budget))
        }
        return actions
    }

    private func subquery(for part: QueryPart) -> WireSubquery {
        var subquery = WireSubquery()
        subquery.search = plan.search
        subquery.search.creditItems = part.window.grantedItems
        subquery.search.creditBytes = part.window.grantedBytes
        subquery.targets = part.targets.map { shard in
            var target = WireShardTarget()
            target.index = shard.index
            target.shard = shard.shard.number
            target.snapshot = shard.snapshot.value
            return target
        }
        subquery.customKeys = plan.customKeys.map(WireCustomKey.init)
        if plan.isScored, phase == .streaming { subquery.statistics = summedStatistics }
        return subquery
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
