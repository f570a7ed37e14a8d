import Glibc

/// Gives way to others every so often in a loop that takes long, step by step.
///
/// Building and merging segments and reading files compute on end; whoever answers meanwhile is not
/// to wait for the system's next tick, 4 ms away (`YieldBackoff` has why). Beside others that
/// compute on end as well it yields as long as it runs, so that it gets its half.
///
/// To the system a yield is one turn: a search of some milliseconds would share its processor with
/// whoever yields. So while somebody waits for what a thread of the process computes
/// (`YieldBackoff.whileAwaited`) it stands aside, up to `longestPause` at a time, and then for as
/// long nobody does. Where those who are waited for leave two processors or more nobody stands
/// aside.
///
/// A loop goes on where the thread's former one ended: of many short loops, as those of a segment's
/// columns, none would be long enough to give way by itself.
package struct YieldPace {
    /// The shortest time between two yields: nanoseconds.
    package static let interval: Int64 = 300_000
    /// How long after a step is due its thread still counts as computing: nanoseconds.
    ///
    /// What has no steps for longer, as reading a whole segment, counts as idle from then on.
    package static let longestStep: Int64 = 2_000_000
    /// The longest time to stand aside for a search: nanoseconds.
    package static let longestPause: Int64 = 8_000_000
    /// A yield that took longer counts as one of so long, in nanoseconds.
    ///
    /// The machine may have stood still meanwhile.
    static let longestYield: Int64 = 50_000_000

    private let clock: @Sendable () -> Int64
    private let yieldTurn: @Sendable () -> Void
    private let standAside: @Sendable () -> Void
    private let backoff: YieldBackoff
    /// Where the thread keeps `due` from one loop to the next; nil in tests of one.
    private let kept: ThreadMoment?
    /// When to yield next.
    private var due: Int64
    private var steps = 0

    /// - Parameters:
    ///   - clock: a time in nanoseconds that never jumps.
    ///   - yieldTurn: gives the processor away until the system gives it back.
    ///   - standAside: sleeps for a moment, short beside a search.
    ///   - backoff: of those who are waited for, by the same clock.
    ///   - kept: when the thread is due, by the same clock.
    package init(
        clock: @escaping @Sendable () -> Int64 = { SystemTime().monotonicNanoseconds() },
        yieldTurn: @escaping @Sendable () -> Void = { sched_yield() },
        standAside: @escaping @Sendable () -> Void = { usleep(100) },
        telling backoff: YieldBackoff = .shared, continuing kept: ThreadMoment? = dueOfThread
    ) {
        self.clock = clock
        self.yieldTurn = yieldTurn
        self.standAside = standAside
        self.backoff = backoff
        self.kept = kept
        let now = clock()
        if let last = kept?.value, last > now - Self.longestStep {
            due = last
        } else {
            // The thread was idle: it has not computed on end.
            due = now + Self.interval
            kept?.keep(due)
        }
    }

    /// When each thread is due by the system's clock.
    package static let dueOfThread = ThreadMoment()

    /// A step of some microseconds was done, or a share of one.
    ///
    /// - Parameter count: how many steps make some microseconds.
    package mutating func step(every count: Int = 1) {
        steps += 1
        guard steps >= count else { return }
        steps = 0
        let now = clock()
        guard now >= due else { return }
        // Another loop of this thread may have given way since, inside of this one.
        if let last = kept?.value { due = max(due, last) }
        guard now >= due else { return }
        guard !backoff.isOwn else {
            due = now + Self.interval
            return
        }
        due = giveWay(at: now)
        kept?.keep(due)
        backoff.noteComputing(until: due + Self.longestStep)
    }

    /// Gives the processor away, for as long as somebody waits for it.
    ///
    /// - Returns: when to do so again.
    private func giveWay(at now: Int64) -> Int64 {
        guard backoff.isToStandAside(at: now) else {
            yieldTurn()
            let after = clock()
            return after + max(Self.interval, min(after - now, Self.longestYield))
        }
        var after = now
        while backoff.isAwaited, after - now < Self.longestPause {
            standAside()
            after = clock()
        }
        backoff.noteStoodAside(from: now, until: after)
        return after + Self.interval
    }
}
