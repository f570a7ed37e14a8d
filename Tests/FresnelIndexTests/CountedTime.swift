import FresnelSystem
import Synchronization

/// A clock that counts how often it is read, and strikes when it was read often enough.
final class CountedTime: TimeSource {
    /// What the clock shows once it has struck.
    static let late: Int64 = 1000

    private let reads = Mutex(0)
    private let patience: Int

    /// - Parameter patience: readings before the clock strikes.
    init(patience: Int = .max) { self.patience = patience }

    /// How often it was read.
    var readCount: Int { reads.withLock { $0 } }

    func monotonicNanoseconds() -> Int64 {
        reads.withLock { reads in
            reads += 1
            return reads > patience ? Self.late : 0
        }
    }

    func unixSeconds() -> Double { 0 }
}
