/// When a replica's memory is sealed into files: after so many bytes of journal, and after so many
/// parts, however small.
///
/// A replica that opens applies the parts again that came since; that takes about as long as
/// writing them did, whatever their size.
struct SealPace: Sendable {
    /// Bytes of journal after which sealing is due.
    let thresholdBytes: Int
    private var bytes = 0
    private var parts = 0
    private var endedAt: Int64 = .min / 2
    /// How often in a row it failed.
    private var failures = 0
    /// Bytes that were in memory only when it failed last.
    private var failedBytes = 0

    /// Parts after which sealing is due, as soon as `pauseNanoseconds` are over.
    static let thresholdParts = 512
    /// The shortest time between two seals for the sake of parts; each costs a few syncs.
    static let pauseNanoseconds: Int64 = 2_000_000_000
    /// How often `pauseNanoseconds` double after failures in a row, at most: about a minute.
    private static let mostDoublings = 5
    /// So many times `thresholdBytes` in memory and writing has to wait.
    private static let mostThresholds = 4

    /// A pace of nothing gathered.
    init(thresholdBytes: Int) { self.thresholdBytes = thresholdBytes }

    /// Takes in that a part is in memory only.
    mutating func note(bytes: Int) {
        self.bytes += bytes
        parts += 1
    }

    /// Takes in that what gathered so far is being written into files.
    mutating func noteBegun() { (bytes, parts) = (0, 0) }

    /// Takes in that it is written, in monotonic nanoseconds.
    mutating func noteDone(at now: Int64) { (endedAt, failures) = (now, 0) }

    /// Takes in that it could not be written: sealing stays due, after a pause.
    ///
    /// - Parameter unsealedBytes: what is in memory only.
    mutating func noteFailed(at now: Int64, unsealedBytes: Int = 0) {
        noteOwed()
        (endedAt, failures, failedBytes) = (now, failures + 1, unsealedBytes)
    }

    /// Takes in how much is in memory only, on a disk without room: sealing is due, and without a
    /// pause where that is less than when it failed, or where there is more room.
    mutating func noteShortage(unsealedBytes: Int, hasMoreRoom: Bool = false) {
        noteOwed()
        guard hasMoreRoom || unsealedBytes < failedBytes else { return }
        (failures, failedBytes) = (0, unsealedBytes)
    }

    /// Takes in that sealing is due, whatever gathered.
    mutating func noteOwed() { (bytes, parts) = (max(bytes, thresholdBytes), max(parts, 1)) }

    /// Whether it failed since it was last done.
    var hasFailed: Bool { failures > 0 }

    /// Whether to seal now, in monotonic nanoseconds.
    func isDue(at now: Int64, isClosing: Bool) -> Bool {
        guard parts > 0 else { return false }
        guard !isClosing else { return true }
        guard !isPausing(at: now) else { return false }
        return bytes >= thresholdBytes
            || (parts >= Self.thresholdParts && now >= endedAt + Self.pauseNanoseconds)
    }

    /// Whether more gathered, while files are written, than memory shall take: writing waits.
    func isFarBehind(at now: Int64) -> Bool {
        !isPausing(at: now) && bytes / Self.mostThresholds >= thresholdBytes
    }

    /// Whether it failed a short while ago.
    private func isPausing(at now: Int64) -> Bool {
        guard failures > 0 else { return false }
        return now < endedAt + Self.pauseNanoseconds << min(failures - 1, Self.mostDoublings)
    }
}
