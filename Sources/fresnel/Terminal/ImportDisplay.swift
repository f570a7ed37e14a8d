import FresnelClient
import FresnelJSON
import FresnelModel

/// The progress of an import: a bar where somebody looks, a line now and then elsewhere.
final class ImportDisplay {
    private let isBar = Terminal.isError
    private let watch = Stopwatch()
    /// Since the start of the watch.
    private var nextShow: Duration
    private var isShown = false
    /// Documents of all sources together, roughly; nil when one of them cannot be counted.
    private let total: Int?

    private static let barInterval = Duration.milliseconds(100)
    private static let lineInterval = Duration.seconds(5)
    private static let barColumns = 24

    /// - Parameter format: what all sources are; nil where their names say it.
    init(sources: [ImportSource], format: ImportFormat?) {
        total = isBar ? LineCount.documents(of: sources, as: format) : nil
        nextShow = isBar ? .zero : Self.lineInterval
    }

    /// Shows how far the import has come, if it was not shown a moment ago.
    func show(_ progress: ImportProgress) {
        let elapsed = watch.elapsed
        guard elapsed >= nextShow else { return }
        nextShow = elapsed + (isBar ? Self.barInterval : Self.lineInterval)
        let text = text(progress, after: elapsed)
        if isBar {
            Streams.writeError("\r\u{1B}[K" + text)
            isShown = true
        } else {
            Streams.complain(text)
        }
    }

    /// Writes a line above the bar.
    func complain(_ line: String) {
        clear()
        Streams.complain(line)
    }

    /// Replaces the bar by the totals.
    func finish(_ progress: ImportProgress, json: Bool) {
        clear()
        let elapsed = watch.elapsed
        if json {
            let line: JSONValue = [
                "acknowledged": .integer(Int64(progress.acknowledged)),
                "refused": .integer(Int64(progress.refused)),
                "skipped": .integer(Int64(progress.skipped)),
                "batches": .integer(Int64(progress.batches)),
                "elapsedMicroseconds": .integer(Int64(clamping: elapsed.wholeMicroseconds)),
            ]
            return Streams.say(line.serialized())
        }
        let skipped = progress.skipped > 0 ? ", \(progress.skipped) were there already" : ""
        Streams.complain(
            "\(ValueText.count(progress.acknowledged, "document")) acknowledged, "
                + "\(progress.refused) refused\(skipped), in \(DurationText.text(elapsed)) "
                + "(\(rate(progress, elapsed)) documents/s)")
    }

    private func text(_ progress: ImportProgress, after elapsed: Duration) -> String {
        let refused = progress.refused > 0 ? ", \(progress.refused) refused" : ""
        let counts = "\(progress.acknowledged) documents, \(rate(progress, elapsed))/s\(refused)"
        guard let total, total > 0 else { return counts }
        let done = Double(progress.acknowledged + progress.refused + progress.skipped)
        let share = min(1, done / Double(total))
        let filled = Int(share * Double(Self.barColumns))
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: Self.barColumns - filled)
        return "\(bar) \(Int(share * 100)) %  \(counts)\(remaining(share, elapsed))"
    }

    private func remaining(_ share: Double, _ elapsed: Duration) -> String {
        guard share > 0.01, share < 1 else { return "" }
        let seconds = elapsed.inSeconds / share * (1 - share)
        return ", \(DurationText.text(.seconds(seconds))) left"
    }

    private func rate(_ progress: ImportProgress, _ elapsed: Duration) -> Int {
        Int(Double(progress.acknowledged) / max(elapsed.inSeconds, 0.001))
    }

    private func clear() {
        guard isShown else { return }
        Streams.writeError("\r\u{1B}[K")
        isShown = false
    }
}
