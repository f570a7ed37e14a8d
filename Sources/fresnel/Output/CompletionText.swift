import FresnelModel

/// A completion for people.
enum CompletionText {
    /// What stands below a table: counts, time, and every shard that is missing.
    static func footer(_ completion: Completion, shown: Int, style: Style) -> [String] {
        let total = completion.found
        let hits =
            UInt64(shown) == total
            ? ValueText.count(total, "hit") : "\(shown) of \(ValueText.count(total, "hit"))"
        let counts = "\(hits) found in \(ValueText.count(completion.searched, "document"))"
        let summary = "\(counts), \(DurationText.text(completion.elapsed)); "
        guard !completion.isComplete else { return [style.dim(summary + "complete")] }
        let status =
            completion.status == .complete ? "incomplete" : completion.status.rawValue
        return [style.dim(summary) + style.alarm(status)] + missing(in: completion)
    }

    /// A line for every shard that was not searched whole.
    static func missing(in completion: Completion) -> [String] {
        completion.shards.filter { !$0.isWhole }.map(line)
    }

    /// How to see the pages beside this one, for the standard error; nil when there are none.
    static func pages(_ completion: Completion) -> String? {
        let pages = [("--after", completion.next), ("--before", completion.previous)].compactMap {
            flag, cursor in cursor.map { "\(flag) \($0)" }
        }
        return pages.isEmpty ? nil : "more: \(pages.joined(separator: ", or "))"
    }

    /// Warnings, for the standard error.
    static func warnings(_ completion: Completion) -> [String] {
        completion.warnings.map { warning in
            let place = warning.offset.map { " (at byte \($0))" } ?? ""
            return "warning: \(warning.message)\(place)"
        }
    }

    private static func line(_ shard: ShardReport) -> String {
        let worker = shard.worker.map { " on \($0)" } ?? ""
        let reason = shard.message.isEmpty ? "" : ": \(shard.message)"
        let place = "\(shard.index)/\(shard.shard.number)\(worker)"
        let counts = "\(shard.searched) of \(shard.owned) documents searched"
        return "  missing: shard \(place) \(shard.status.rawValue), \(counts)\(reason)"
    }
}
