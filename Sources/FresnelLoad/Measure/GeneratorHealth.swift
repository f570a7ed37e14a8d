/// Whether the side that makes the load kept up: if not, the run says more about it than about the
/// cluster.
package struct GeneratorHealth: Codable, Sendable {
    /// How much later than planned requests were sent.
    package private(set) var lateness = LatencySummary()
    /// Requests that were not sent, since too many waited.
    package private(set) var unsent = 0
    /// Of several processes each by itself; none of one.
    package private(set) var parts: [GeneratorHealth] = []
    /// Processes that ended before their part was done, each as a sentence.
    package private(set) var losses: [String] = []
    /// Processor time that the generator used, in nanoseconds.
    package var processorNanoseconds: Int64 = 0
    /// How long the run took, in nanoseconds.
    package var wallNanoseconds: Int64 = 0

    /// Requests later than this count as late, in microseconds.
    package static let tolerance: UInt64 = 10_000
    /// The part of requests that may be late (0...1).
    package static let lateMost = 0.01

    package init() {}

    package mutating func take(_ record: RequestRecord) {
        if record.outcome == .unsent {
            unsent += 1
        } else {
            lateness.record(nanoseconds: record.sent - record.planned)
        }
    }

    /// Takes one of the processes that make a load together, in their order.
    package mutating func add(_ other: GeneratorHealth) {
        lateness.add(other.lateness)
        unsent += other.unsent
        processorNanoseconds += other.processorNanoseconds
        wallNanoseconds = max(wallNanoseconds, other.wallNanoseconds)
        parts.append(other)
    }

    /// Notes that a process ended before its part was done.
    package mutating func lose(_ sentence: String) { losses.append(sentence) }

    /// Processors that the generator kept busy.
    package var processors: Double {
        wallNanoseconds > 0 ? Double(processorNanoseconds) / Double(wallNanoseconds) : 0
    }

    /// Why the run measures its generator rather than the cluster; nil if it does not.
    ///
    /// - Parameter closed: of closed loops there is no plan to be late for.
    package func complaint(closed: Bool) -> String? {
        if let loss = losses.first { return loss }
        for (number, part) in parts.enumerated() {
            guard let complaint = part.complaint(closed: closed) else { continue }
            return "of load process \(number + 1) of \(parts.count) \(complaint)"
        }
        if unsent > 0 {
            return "\(unsent) requests were not sent, since too many were waiting for answers"
        }
        let late = 1 - lateness.share(upTo: Self.tolerance)
        guard !closed, lateness.count > 0, late > Self.lateMost else { return nil }
        let percent = (late * 1000).rounded() / 10
        return "\(percent) % of the requests were sent more than \(Self.tolerance / 1000) ms later "
            + "than planned"
    }

    /// What to do about a complaint where figures are wanted.
    package static let advice =
        ": take a smaller rate, fewer others on this machine, or another machine for the load"
}
