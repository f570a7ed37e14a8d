/// What a history contains, in numbers.
package struct RunSummary: Sendable {
    /// Times of one kind of fault, in nanoseconds.
    package struct Recovery: Sendable, Equatable {
        /// How often it happened.
        package var count = 0
        /// From the fault to the end of the first complete answer to what was asked behind it.
        package var fromFault: [Int64] = []
        /// The same from when the fault was taken back.
        package var fromEnd: [Int64] = []
        /// From when the fault was taken back until all replicas were in sync.
        package var healing: [Int64] = []
    }

    /// By kind of fault.
    package private(set) var recoveries: [FaultKind: Recovery] = [:]
    /// Operations of all batches.
    package private(set) var operations = 0
    /// Batches by outcome.
    package private(set) var acknowledged = 0
    /// Batches of which nobody knows.
    package private(set) var unknown = 0
    /// Batches that were refused whole.
    package private(set) var refused = 0
    /// Searches by outcome.
    package private(set) var complete = 0
    /// Searches that said that something is missing.
    package private(set) var incomplete = 0
    /// Searches that ended with an error.
    package private(set) var failed = 0
    /// States of followed answers.
    package private(set) var followed = 0
    /// Looks at client states.
    package private(set) var states = 0

    /// Counts a history.
    package init(of events: [HistoryEvent]) {
        var faults: [FaultEvent] = []
        var answers: [(started: Int64, ended: Int64)] = []
        for event in events {
            switch event {
            case .write(let write): count(write)
            case .read(let read):
                count(read)
                if read.outcome == .complete, read.kind == .all {
                    answers.append((read.started, read.ended))
                }
            case .state: states += 1
            case .fault(let fault): faults.append(fault)
            case .began, .replica, .trouble: break
            }
        }
        for fault in faults { add(fault, answers) }
    }

    private mutating func count(_ write: WriteEvent) {
        operations += write.operations.count
        switch write.outcome {
        case .acknowledged: acknowledged += 1
        case .unknown: unknown += 1
        case .refused: refused += 1
        }
    }

    private mutating func count(_ read: ReadEvent) {
        guard read.kind != .followed else {
            followed += 1
            return
        }
        switch read.outcome {
        case .complete: complete += 1
        case .incomplete: incomplete += 1
        case .failed: failed += 1
        }
    }

    private mutating func add(_ fault: FaultEvent, _ answers: [(started: Int64, ended: Int64)]) {
        var recovery = recoveries[fault.kind] ?? Recovery()
        recovery.count += 1
        let first = { (time: Int64) in
            answers.lazy.filter { $0.started >= time }.map(\.ended).min().map { $0 - time }
        }
        if let time = first(fault.started) { recovery.fromFault.append(time) }
        if let time = first(fault.ended) { recovery.fromEnd.append(time) }
        if let healed = fault.healed { recovery.healing.append(healed - fault.ended) }
        recoveries[fault.kind] = recovery
    }

    /// The summary for people, a line each.
    package var lines: [String] {
        var lines = [
            "batches: \(acknowledged + unknown + refused) with \(operations) operations; "
                + "\(acknowledged) acknowledged, \(unknown) unknown, \(refused) refused whole",
            "searches: \(complete + incomplete + failed); \(complete) complete, \(incomplete) "
                + "incomplete, \(failed) failed; \(followed) states of followed ones, \(states) "
                + "looks at client states",
            "seconds, median and greatest, to the first complete answer from the fault, from its "
                + "end, and from its end until every replica was in sync:",
        ]
        for (kind, recovery) in recoveries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let times = [recovery.fromFault, recovery.fromEnd, recovery.healing].map(Self.text)
            lines.append("  \(recovery.count) \(kind.rawValue): " + times.joined(separator: "; "))
        }
        return lines
    }

    private static func text(_ times: [Int64]) -> String {
        guard let greatest = times.max() else { return "-" }
        return "\(times.sorted()[times.count / 2].asSeconds) \(greatest.asSeconds)"
    }
}
