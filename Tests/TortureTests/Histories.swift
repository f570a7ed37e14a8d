import TortureHistory

/// Histories written by hand: an index `i`, a writer `w`, groups `g` and `h`.
enum Histories {
    static let began = HistoryEvent.began(
        RunDescription(seed: 1, replicas: 1, workers: 3, shards: 4))

    static let replicated = HistoryEvent.began(
        RunDescription(seed: 1, replicas: 2, workers: 3, shards: 4))

    static func index(_ key: Int, _ version: Int, group: String = "g") -> KeyOperation {
        .index(key: key, version: version, group: group)
    }

    static func write(
        _ operations: KeyOperation..., at times: ClosedRange<Int64>,
        _ outcome: WriteOutcome = .acknowledged(refused: [:]),
        state: (expected: String, new: String)? = nil, writer: String = "w"
    ) -> HistoryEvent {
        .write(
            WriteEvent(
                writer: writer, index: "i", operations: operations,
                state: state.map { .init(expected: $0.expected, new: $0.new) },
                started: times.lowerBound, ended: times.upperBound, outcome: outcome))
    }

    /// An answer that shows keys in versions that were indexed whole.
    static func read(
        _ kind: ReadKind = .all, at times: ClosedRange<Int64>, _ shown: (Int, Int)...,
        outcome: ReadOutcome = .complete, found: Int? = nil
    ) -> HistoryEvent {
        .read(
            ReadEvent(
                kind, index: "i", started: times.lowerBound, ended: times.upperBound,
                outcome: outcome, found: found,
                observed: shown.map { Observation(key: $0.0, base: $0.1, version: $0.1) }))
    }

    static func look(_ value: String, at times: ClosedRange<Int64>) -> HistoryEvent {
        .state(
            StateEvent(
                index: "i", value: value, started: times.lowerBound, ended: times.upperBound))
    }

    /// The kinds of promise that a history shows broken, each once.
    static func broken(_ events: [HistoryEvent]) -> [Violation.Kind] {
        var kinds: [Violation.Kind] = []
        for violation in HistoryChecker.violations(of: [began] + events)
        where !kinds.contains(violation.kind) {
            kinds.append(violation.kind)
        }
        return kinds
    }
}
