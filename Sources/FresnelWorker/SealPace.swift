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
    private var sealedAt: Int64 = .min / 2

    /// Parts after which sealing is due, as soon as `pauseNanoseconds` are over.
    static let thresholdParts = 512
    /// The shortest time between two seals for the sake of parts; each costs a few syncs.
    static let pauseNanoseconds: Int64 = 2_000_000_000

    /// A pace of nothing gathered.
    init(thresholdBytes: Int) { self.thresholdBytes = thresholdBytes }

    /// Takes in that a part is in memory only.
    mutating func note(bytes: Int) {
        self.bytes += bytes
        parts += 1
    }

    /// Takes in that everything so far is in files, or is being written into them.
    mutating func noteSealed(at now: Int64) { (bytes, parts, sealedAt) = (0, 0, now) }

    /// Takes in that it could not be written: sealing stays due.
    mutating func noteFailed() { (bytes, parts) = (max(bytes, thresholdBytes), max(parts, 1)) }

    /// Whether to seal now, in monotonic nanoseconds.
    func isDue(at now: Int64, isClosing: Bool) -> Bool {
        guard parts > 0 else { return false }
        return isClosing || bytes >= thresholdBytes
            || (parts >= Self.thresholdParts && now >= sealedAt + Self.pauseNanoseconds)
    }
}
