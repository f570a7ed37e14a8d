package import FresnelModel
package import FresnelSystem
import Synchronization

/// Why a search ends before it is done.
package enum SearchStop: Error, Hashable, Sendable {
    /// The budget ran out.
    case deadline
    /// Nobody wants the answer any more.
    case cancelled
}

/// The budget of one search and the switch that ends it; shared by those who search and those who
/// may call it off.
package final class SearchControl: Sendable {
    /// When the budget is used up.
    package let deadline: Instant
    private let time: any TimeSource
    private let cancellation = Atomic<Bool>(false)
    private let wanted = Mutex<[UInt8]?>(nil)
    /// Whether `wanted` has a key: asked for every hit.
    private let isNarrowed = Atomic<Bool>(false)

    /// Makes the control of a search that must end at `deadline` of `time`.
    package init(deadline: Instant, time: any TimeSource) {
        self.deadline = deadline
        self.time = time
    }

    /// Makes the control of a search without a deadline, as deletions by query are.
    package convenience init(time: any TimeSource) {
        self.init(deadline: Instant(nanoseconds: .max), time: time)
    }

    /// Ends the search soon.
    package func cancel() { cancellation.store(true, ordering: .relaxed) }

    /// Whether `cancel` was called.
    package var isCancelled: Bool { cancellation.load(ordering: .relaxed) }

    /// The key of the last hit that is still wanted; nil while all are.
    ///
    /// Others found better ones. It only comes nearer to the first hit of the answer.
    package var threshold: [UInt8]? {
        isNarrowed.load(ordering: .acquiring) ? wanted.withLock { $0 } : nil
    }

    /// Says that no hit whose key follows `key` is wanted any more.
    package func narrow(to key: [UInt8]) {
        wanted.withLock { current in
            guard current.map({ key.lexicographicallyPrecedes($0) }) ?? true else { return }
            current = key
        }
        isNarrowed.store(true, ordering: .releasing)
    }

    /// The monotonic clock.
    package var now: Instant { Instant(nanoseconds: time.monotonicNanoseconds()) }

    /// Throws when the search should end.
    ///
    /// Loops over documents call it once per 4096 of them at least (`CheckPace`). Making a column
    /// of texts that have none (`StoredTexts.column`) never does: it is whole, or of no use to the
    /// next search.
    package func check() throws(SearchStop) {
        if isCancelled { throw .cancelled }
        if deadline.nanoseconds != .max, now >= deadline { throw .deadline }
    }
}
