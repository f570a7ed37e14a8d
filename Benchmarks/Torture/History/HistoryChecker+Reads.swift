extension HistoryChecker {
    /// Compares every answer with what the keys may be.
    mutating func checkReads() {
        for read in reads {
            checkDuplicates(read)
            switch read.outcome {
            case .complete:
                checkOrder(read)
                checkShown(read)
                checkMissing(read)
                checkCount(read)
            case .incomplete, .failed: checkPartial(read)
            }
        }
    }

    private mutating func checkDuplicates(_ read: ReadEvent) {
        var seen: Set<Int> = []
        for observation in read.observed where !seen.insert(observation.key).inserted {
            violate(.duplicate, "key \(observation.key) twice in \(read.name)", at: read.ended)
        }
    }

    private mutating func checkOrder(_ read: ReadEvent) {
        switch read.kind {
        case .newest(let limit):
            let versions = read.observed.map(\.version)
            if versions.count > limit {
                violate(.wrongOrder, "\(versions.count) hits in \(read.name)", at: read.ended)
            }
            if zip(versions, versions.dropFirst()).contains(where: { $0 < $1 }) {
                violate(.wrongOrder, "\(versions) in \(read.name)", at: read.ended)
            }
        case .relevant(let limit):
            guard read.observed.count > limit else { return }
            violate(.wrongOrder, "\(read.observed.count) hits in \(read.name)", at: read.ended)
        case .all, .group, .keys, .count, .followed: return
        }
    }

    /// What a complete answer shows must be what the key may be at that time.
    private mutating func checkShown(_ read: ReadEvent) {
        for observation in read.observed {
            guard let timeline = timelines[read.index]?[observation.key] else {
                violate(.phantom, read.shows(observation, "nobody wrote it"), at: read.ended)
                continue
            }
            // A followed answer is as old as its last round.
            let allowed =
                read.kind == .followed
                ? timeline.everPossible(until: read.ended)
                : timeline.allowed(from: read.started, to: read.ended)
            let isAllowed = allowed.contains {
                $0.isShown(by: observation) && $0.matches(read.kind)
            }
            guard !isAllowed else { continue }
            let text = read.shows(observation, "it may be \(allowed.sorted)")
            violate(kind(of: observation, timeline, read), text, at: read.ended)
        }
    }

    private func kind(
        of observation: Observation, _ timeline: KeyTimeline, _ read: ReadEvent
    ) -> Violation.Kind {
        guard timeline.isMade(observation, by: read.ended) else { return .phantom }
        let answered = timeline.answered(from: read.started, to: read.ended)
        if answered == [.absent] { return .resurrection }
        let wasAllowed = answered.contains {
            $0.isShown(by: observation) && $0.matches(read.kind)
        }
        return wasAllowed ? .wentBack : .staleRead
    }

    /// What a complete answer does not show must be allowed to be missing.
    private mutating func checkMissing(_ read: ReadEvent) {
        guard let cut = read.cut else { return }
        let shown = Set(read.observed.map(\.key))
        for (key, timeline) in timelines[read.index] ?? [:] where !shown.contains(key) {
            if case .keys(let wanted) = read.kind, !wanted.contains(key) { continue }
            let mayMiss = { (state: DocumentState) in
                guard state.matches(read.kind), case .present(_, let version, _) = state else {
                    return true
                }
                return version < cut
            }
            let allowed = timeline.allowed(from: read.started, to: read.ended)
            guard !allowed.contains(where: mayMiss) else { continue }
            let answered = timeline.answered(from: read.started, to: read.ended)
            violate(
                answered.contains(where: mayMiss) ? .wentBack : .lostWrite,
                "key \(key) is not in \(read.name), it must be \(allowed.sorted)", at: read.ended)
        }
    }

    private mutating func checkCount(_ read: ReadEvent) {
        guard let found = read.found else { return }
        switch read.kind {
        case .all, .group, .keys:
            guard found != read.observed.count else { return }
            violate(
                .wrongCount, "found \(found), delivered \(read.observed.count) in \(read.name)",
                at: read.ended)
        case .newest, .relevant, .count:
            let bounds = (timelines[read.index] ?? [:]).values.reduce(into: (low: 0, high: 0)) {
                let allowed = $1.allowed(from: read.started, to: read.ended)
                if !allowed.contains(.absent) { $0.low += 1 }
                if allowed != [.absent] { $0.high += 1 }
            }
            guard found < bounds.low || found > bounds.high else { return }
            violate(
                .wrongCount, "found \(found), not \(bounds.low)...\(bounds.high), in \(read.name)",
                at: read.ended)
        case .followed: return
        }
    }

    /// An answer that says that something is missing may be old, but invents nothing.
    private mutating func checkPartial(_ read: ReadEvent) {
        for observation in read.observed {
            let timeline = timelines[read.index]?[observation.key]
            guard timeline?.isMade(observation, by: read.ended) != true else { continue }
            violate(.phantom, read.shows(observation, "nobody wrote it"), at: read.ended)
        }
    }
}

extension ReadEvent {
    /// For messages.
    var name: String { "\(kind) of \(index) at \(started.asSeconds)...\(ended.asSeconds)" }

    func shows(_ observation: Observation, _ reason: String) -> String {
        "key \(observation.key) is \(observation.version) on \(observation.base) in \(name), "
            + reason
    }

    /// Below this version a document may be missing for want of room; nil where every one may.
    fileprivate var cut: Int? {
        switch kind {
        case .all, .group, .keys: 0
        case .newest(let limit):
            observed.count < limit ? 0 : observed.last?.version ?? Int.max
        case .relevant, .count, .followed: nil
        }
    }
}

extension Int64 {
    /// Nanoseconds as seconds, for messages.
    package var asSeconds: String {
        let milliseconds = self / 1_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
