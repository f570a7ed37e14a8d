/// Says which promises a history shows broken.
///
/// What is proved, for every key of every index: an acknowledged operation is seen by each complete
/// read that began after it; what no operation made is never seen; no answer has a document twice;
/// nothing older comes back. Client states form one chain, and batches that went with a state that
/// was seen are as good as acknowledged. Searches and writes fail only beside a fault that excuses
/// it. Replicas are sound and alike.
///
/// An operation with an unknown outcome may or may not have happened, but not after a later one of
/// its writer that was acknowledged: the broker sequences what it is sent in order.
package struct HistoryChecker: Sendable {
    /// What was run.
    let run: RunDescription
    var writes: [WriteEvent] = []
    var reads: [ReadEvent] = []
    var states: [StateEvent] = []
    var faults: [FaultEvent] = []
    var replicas: [ReplicaEvent] = []
    /// Of batches without an answer, by position, when it turned out that they had happened.
    var settled: [Int: Int64] = [:]
    /// By index and key.
    var timelines: [String: [Int: KeyTimeline]] = [:]
    var violations: [Violation] = []

    /// All broken promises, in order of time; none of a good run.
    package static func violations(of events: [HistoryEvent]) -> [Violation] {
        var checker = HistoryChecker(events)
        checker.checkStates()
        checker.buildTimelines()
        checker.checkRefusals()
        checker.checkReads()
        checker.checkAvailability()
        checker.checkReplicas()
        return checker.violations.sorted { $0.at < $1.at }
    }

    private init(_ events: [HistoryEvent]) {
        var description: RunDescription?
        for event in events {
            switch event {
            case .began(let run): description = run
            case .write(let write): writes.append(write)
            case .read(let read): reads.append(read)
            case .state(let state): states.append(state)
            case .fault(let fault): faults.append(fault)
            case .replica(let replica): replicas.append(replica)
            case .trouble(let trouble):
                violations.append(Violation(trouble.kind, trouble.text, at: trouble.at))
            }
        }
        run = description ?? RunDescription(seed: 0, replicas: 1, workers: 1, shards: 1)
        if description == nil { violate(.unusableHistory, "it has no beginning", at: 0) }
        writes.sort { $0.started < $1.started }
        reads.sort { $0.started < $1.started }
        states.sort { $0.started < $1.started }
    }

    mutating func violate(_ kind: Violation.Kind, _ text: String, at time: Int64) {
        violations.append(Violation(kind, text, at: time))
    }

    /// Lays the operations on each key one behind the other.
    private mutating func buildTimelines() {
        for (number, write) in writes.enumerated() {
            for (position, operation) in write.operations.enumerated() {
                guard let certainty = certainty(of: position, in: write) else { continue }
                for key in keys(of: operation, in: write) {
                    timelines[write.index, default: [:]][key, default: KeyTimeline()].append(
                        operation, certainty, started: write.started, ended: write.ended,
                        settled: settled[number] ?? 0)
                }
            }
        }
        for (index, keys) in timelines {
            for (key, timeline) in keys where !timeline.isSerial {
                violate(.unusableHistory, "key \(key) of \(index) has two writers at once", at: 0)
            }
        }
        for read in reads where read.outcome == .complete {
            for observation in read.observed {
                timelines[read.index]?[observation.key]?.see(observation, at: read.ended)
            }
        }
    }

    /// Nil for an operation that certainly did not happen.
    private func certainty(of position: Int, in write: WriteEvent) -> KeyTimeline.Certainty? {
        switch write.outcome {
        case .acknowledged(let refused):
            switch refused[position] {
            case nil: .certain
            case WriteEvent.unknownItemCode: nil
            default: .possible
            }
        case .unknown: .possible
        case .refused: nil
        }
    }

    /// The keys that an operation may change: of a group, those that were ever put into it.
    private func keys(of operation: KeyOperation, in write: WriteEvent) -> [Int] {
        if let key = operation.key { return [key] }
        guard case .deleteGroup(let group) = operation else { return [] }
        return (timelines[write.index] ?? [:]).filter { _, timeline in
            timeline.everPossible.contains { state in
                if case .present(_, _, group) = state { return true }
                return false
            }
        }.map(\.key)
    }

    /// A patch that was refused because there is no such document.
    private mutating func checkRefusals() {
        for write in writes {
            guard case .acknowledged(let refused) = write.outcome else { continue }
            for (position, code) in refused where code == WriteEvent.unknownItemCode {
                guard write.operations.indices.contains(position),
                    let key = write.operations[position].key
                else { continue }
                let allowed = timelines[write.index]?[key]?
                    .answered(from: write.started, to: write.ended)
                guard let allowed, !allowed.contains(.absent) else { continue }
                violate(
                    .wrongRefusal,
                    "a patch of key \(key) of \(write.index) was refused, although it is "
                        + "\(allowed.sorted)", at: write.ended)
            }
        }
    }
}

extension Set<DocumentState> {
    /// For messages: the states in an order of their own.
    var sorted: [String] {
        map { state in
            switch state {
            case .absent: "absent"
            case .present(let base, let version, let group): "\(version) on \(base) in \(group)"
            }
        }.sorted()
    }
}
