import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelSystem

/// The counts of an import at its end, for people or for programs.
struct ImportTotals: Sendable {
    /// How an import ends.
    enum Ending: String {
        /// Every entry was acknowledged or refused.
        case complete
        /// The user stopped it.
        case interrupted
        /// An error stopped it.
        case failed
    }

    /// Whether a program reads them.
    let isJSON: Bool
    let watch = Stopwatch()
    let refusals = RefusalLog()

    /// Prints the counts.
    ///
    /// - Parameter expiration: of the index; nil where it is not known.
    func say(
        _ progress: ImportProgress, as ending: Ending, expiration: ExpirationPolicy? = nil
    ) {
        for line in refusals.summary() { Streams.complain(line) }
        let elapsed = watch.elapsed
        guard isJSON else {
            let fate = expiration.flatMap {
                ExpirationText.ending(
                    of: progress, $0, at: Timestamp(wallClock: SystemTime().unixSeconds()))
            }
            return Streams.complain(
                text(progress, after: elapsed) + (fate.map { "; \($0)" } ?? ""))
        }
        let line: JSONValue = [
            "status": .string(ending.rawValue),
            "acknowledged": .integer(Int64(progress.acknowledged)),
            "refused": .integer(Int64(progress.refused)),
            "skipped": .integer(Int64(progress.skipped)),
            "batches": .integer(Int64(progress.batches)),
            "expirationSeconds": expiration.map { .number($0.seconds) } ?? .null,
            "elapsedMicroseconds": .integer(Int64(clamping: elapsed.wholeMicroseconds)),
        ]
        Streams.say(line)
    }

    /// Documents a second.
    static func rate(_ progress: ImportProgress, _ elapsed: Duration) -> Int {
        Int(Double(progress.acknowledged) / max(elapsed.inSeconds, 0.001))
    }

    private func text(_ progress: ImportProgress, after elapsed: Duration) -> String {
        let skipped = progress.skipped > 0 ? ", \(progress.skipped) were there already" : ""
        return "\(ValueText.count(progress.acknowledged, "document")) acknowledged, "
            + "\(progress.refused) refused\(skipped), in \(DurationText.text(elapsed)) "
            + "(\(Self.rate(progress, elapsed)) documents/s)"
    }
}
