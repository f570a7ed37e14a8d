// Anybody can connect. Until the owner of a socket confirms a connection (a session, a ticket: this
// room does not ask), it may say one small message at a time, for a short time, and it is one of a
// bounded number. A flood does not keep others out: who comes takes the place of the oldest
// stranger, of the same address first. A flood of connections so ends itself, and whoever is
// confirmed a moment after it came in is never among the oldest.

/// The connections of one listener that its owner has not confirmed.
struct Strangers {
    /// What becomes of one that comes.
    enum Verdict: Hashable {
        case admit
        /// The connection of this number is closed for it.
        case replace(UInt64)
        case refuse
    }

    /// Why a connection that nobody confirmed was closed.
    enum End {
        /// It was not confirmed in time.
        case late
        /// Its message was too large.
        case large
        /// Another one came.
        case replaced
        /// It broke ZMTP or went by itself, which nobody needs to hear of.
        case other
    }

    private let limits: StrangerLimits
    /// By number, which ascends with age: the smallest is the oldest.
    private var origins: [UInt64: PeerOrigin] = [:]
    private var counts: [PeerOrigin: Int] = [:]
    private var report = StrangerReport()

    init(_ limits: StrangerLimits) { self.limits = limits }

    var count: Int { origins.count }

    /// Decides about one that comes.
    ///
    /// - Parameter freeDescriptors: how many the process has left, about.
    mutating func judge(_ origin: PeerOrigin, freeDescriptors: Int) -> Verdict {
        if counts[origin, default: 0] >= limits.connectionsPerOrigin {
            guard let oldest = origins.filter({ $0.value == origin }).keys.min() else {
                preconditionFailure("\(counts) counted of \(origins)")
            }
            return .replace(oldest)
        }
        let needed =
            origin.isThisMachine ? limits.freeDescriptorsHere : limits.freeDescriptors
        guard count >= limits.connections || freeDescriptors < needed else { return .admit }
        guard let oldest else {
            report.refused += 1
            report.note(origin)
            return .refuse
        }
        return .replace(oldest)
    }

    /// The oldest of all, when the system has no room for another descriptor.
    var oldest: UInt64? { origins.keys.min() }

    /// Counts a connection as one that is not confirmed.
    mutating func enter(_ number: UInt64, from origin: PeerOrigin) {
        guard origins.updateValue(origin, forKey: number) == nil else { return }
        counts[origin, default: 0] += 1
    }

    /// Counts it no longer: it is confirmed.
    mutating func leave(_ number: UInt64) {
        guard let origin = origins.removeValue(forKey: number) else { return }
        let left = counts[origin, default: 1] - 1
        counts[origin] = left > 0 ? left : nil
    }

    /// Counts it no longer: it is closed.
    mutating func leave(_ number: UInt64, because end: End) {
        guard let origin = origins[number] else { return }
        leave(number)
        switch end {
        case .late: report.late += 1
        case .large: report.large += 1
        case .replaced: report.replaced += 1
        case .other: return
        }
        report.note(origin)
    }

    /// What happened since it was last asked; nil for nothing.
    mutating func takeReport() -> StrangerReport? {
        defer { report = StrangerReport() }
        return report.count > 0 ? report : nil
    }
}
