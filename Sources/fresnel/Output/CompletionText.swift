import FresnelModel

/// A completion for people.
enum CompletionText {
    /// What stands below a table: counts, time, and every shard that is missing.
    static func footer(_ completion: Completion, shown: Int, style: Style) -> [String] {
        if completion.isCutOff {
            return ["\(ValueText.count(shown, "hit")), then " + style.alarm("the answer broke off")]
        }
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

    /// A line for every shard that was not searched whole, and what to do about them.
    static func missing(in completion: Completion) -> [String] {
        completion.shards.filter { !$0.isWhole }.map(line) + WayOut.lines(for: completion)
    }

    /// What an answer is worth: whether it is whole, what is missing and why.
    static func verdict(_ completion: Completion) -> [String] {
        let whole = completion.shards.count(where: \.isWhole)
        let share =
            "\(completion.searched) of \(ValueText.count(completion.owned, "document")) in "
            + "\(whole) of \(ValueText.count(completion.shards.count, "shard"))"
        guard !completion.isComplete else {
            return ["complete: \(completion.found) found in \(share), all there are"]
        }
        let reason =
            switch completion.status {
            case .incomplete where completion.isCutOff:
                "incomplete: the answer broke off, what else there is nobody told"
            case .complete, .incomplete: "incomplete: not every shard was searched whole"
            case .cancelled: "cancelled: the client, or a newer query of it, called it off"
            case .deadline: "deadline: the time for the query was over before it was done"
            case .failed where completion.error == nil:
                "failed: fewer shards were searched whole than the query demands (--require)"
            case .failed: "failed: the query could not be run"
            }
        let failure = completion.error.map { ["  \($0)"] } ?? []
        return [reason, "at least \(completion.found) found in \(share)"] + failure
            + missing(in: completion)
    }

    /// How to see the pages beside this one, for the standard error; nil when there are none.
    ///
    /// - Parameter isKept: whether the cursors were remembered, so that a word stands for each.
    static func pages(_ completion: Completion, isKept: Bool) -> String? {
        let pages = [
            ("--after", "next", completion.next), ("--before", "previous", completion.previous),
        ].compactMap { flag, word, cursor in
            cursor.map { "\(flag) \(isKept ? word : $0.description)" }
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

extension Completion {
    /// Whether the client had to end the answer itself, behind its first hits.
    fileprivate var isCutOff: Bool { status == .incomplete && error != nil && shards.isEmpty }
}
