import Glibc
import Synchronization

/// Lets others have the processor now and then, as long as they give it back soon.
///
/// Whether a thread that woke may run, the system often looks only at its ticks, 4 ms apart; a
/// yield is such a moment too. But to the system it is a whole turn that is given away (Linux 6.18
/// forfeits it, earlier ones let whoever comes next have one): beside threads that compute without
/// pause one yield in a hundred took 2 to 8 ms. So after a yield that took long there is a rest in
/// which nothing is given away, longer where many take long. While another thread of the process
/// computes on end (`YieldPace`) a turn would go there and come back late: nothing is given away.
package final class YieldBackoff: Sendable {
    /// The one of this process: what one thread learns about the others holds for all.
    package static let shared = YieldBackoff()
    /// A yield that takes longer was dear: nanoseconds.
    package static let dear: Int64 = 1_000_000
    /// The first rest after a dear yield, doubled by each that follows and halved by each that is
    /// cheap again: nanoseconds.
    package static let shortestRest: Int64 = 50_000_000
    /// The longest rest: nanoseconds.
    package static let longestRest: Int64 = 1_600_000_000

    private let clock: @Sendable () -> Int64
    private let yieldTurn: @Sendable () -> Void
    private let restsUntil = Atomic<Int64>(.min)
    private let rest = Atomic<Int64>(0)
    private let computesUntil = Atomic<Int64>(.min)
    /// Threads that somebody waits for and that compute.
    private let awaited = Atomic<Int>(0)
    /// From when on threads that compute on end may stand aside again.
    private let standsAsideFrom = Atomic<Int64>(.min)
    private let processorCount: Int

    /// - Parameters:
    ///   - clock: a time in nanoseconds that never jumps.
    ///   - yieldTurn: gives the processor away until the system gives it back.
    ///   - processorCount: processors of the machine.
    package init(
        clock: @escaping @Sendable () -> Int64 = { SystemTime().monotonicNanoseconds() },
        yieldTurn: @escaping @Sendable () -> Void = { sched_yield() },
        processorCount: Int = Machine.processorCount
    ) {
        self.clock = clock
        self.yieldTurn = yieldTurn
        self.processorCount = processorCount
    }

    /// Takes in that a thread of the process computes on end, until then by the clock; another may
    /// do so for longer.
    func noteComputing(until instant: Int64) {
        computesUntil.max(instant, ordering: .relaxed)
    }

    /// Computes what somebody waits for: who computes on end stands aside meanwhile (`YieldPace`).
    package func whileAwaited(_ body: () -> Void) {
        beginAwaited()
        defer { endAwaited() }
        Self.$computesAwaited.withValue(true, operation: body)
    }

    func beginAwaited() { awaited.add(1, ordering: .relaxed) }
    func endAwaited() { awaited.subtract(1, ordering: .relaxed) }

    /// Whether it is this thread that computes what somebody waits for.
    var isOwn: Bool { Self.computesAwaited }

    @TaskLocal private static var computesAwaited = false

    /// Whether somebody waits for what other threads of the process compute, and these leave one
    /// processor at most.
    var isAwaited: Bool {
        let count = awaited.load(ordering: .relaxed)
        return count > 0 && count + 1 >= processorCount && !isOwn
    }

    /// Whether a thread that computes on end should stand aside now.
    func isToStandAside(at now: Int64) -> Bool {
        isAwaited && now >= standsAsideFrom.load(ordering: .relaxed)
    }

    /// Takes in that a thread stood aside: for as long none of the process does again.
    func noteStoodAside(from start: Int64, until end: Int64) {
        standsAsideFrom.max(end + (end - start), ordering: .relaxed)
    }

    /// Yields, unless that was dear a moment ago or another thread computes on end.
    ///
    /// - Parameter now: the time of its clock.
    /// - Returns: the time after it; nil when nothing was given away.
    package func yield(at now: Int64) -> Int64? {
        guard now >= restsUntil.load(ordering: .relaxed),
            now >= computesUntil.load(ordering: .relaxed)
        else { return nil }
        yieldTurn()
        let after = clock()
        let last = rest.load(ordering: .relaxed)
        guard after - now > Self.dear else {
            if last > 0 { rest.store(last / 2, ordering: .relaxed) }
            return after
        }
        let next = min(Self.longestRest, max(Self.shortestRest, 2 * last))
        rest.store(next, ordering: .relaxed)
        restsUntil.store(after + next, ordering: .relaxed)
        return after
    }
}
