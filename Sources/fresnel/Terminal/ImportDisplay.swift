import FresnelClient
import FresnelModel

/// The progress of an import: a bar where somebody looks, a line now and then elsewhere.
final class ImportDisplay {
    private let isBar = Terminal.isError
    private let totals: ImportTotals
    /// Since the start of the watch.
    private var nextShow: Duration
    private var isShown = false
    /// Documents of all sources together, roughly; nil when one of them cannot be counted.
    private let total: Int?

    private static let barInterval = Duration.milliseconds(100)
    private static let lineInterval = Duration.seconds(5)
    private static let barColumns = 24

    /// - Parameter format: what all sources are; nil where their names say it.
    init(_ totals: ImportTotals, sources: [ImportSource], format: ImportFormat?) {
        self.totals = totals
        total = isBar ? LineCount.documents(of: sources, as: format) : nil
        nextShow = isBar ? .zero : Self.lineInterval
    }

    /// Shows how far the import has come, if it was not shown a moment ago.
    func show(_ progress: ImportProgress) {
        let elapsed = totals.watch.elapsed
        guard elapsed >= nextShow else { return }
        nextShow = elapsed + (isBar ? Self.barInterval : Self.lineInterval)
        if isBar {
            let columns = Terminal.errorColumns - 1
            Streams.redraw(text(progress, after: elapsed, columns: columns))
            isShown = true
        } else {
            Streams.complain(text(progress, after: elapsed, columns: .max))
        }
    }

    /// Names a refused entry, unless the same was said often enough.
    func refuse(_ refusal: ImportRefusal, in source: String) {
        guard totals.refusals.take(refusal, in: source) else { return }
        complain(ShownText.oneLine("\(source):\(refusal)"))
    }

    /// Writes a line from another task: over the bar, which is drawn anew.
    static func note(_ line: String) {
        if Terminal.isError { Streams.redraw("") }
        Streams.complain(line)
    }

    /// Writes a line above the bar.
    func complain(_ line: String) {
        clear()
        Streams.complain(line)
    }

    /// Replaces the bar by the totals.
    ///
    /// - Parameter expiration: of the index; nil where it is not known.
    func finish(
        _ progress: ImportProgress, as ending: ImportTotals.Ending,
        expiration: ExpirationPolicy? = nil
    ) {
        clear()
        totals.say(progress, as: ending, expiration: expiration)
    }

    /// As much as one line of so many columns takes: what matters least goes first.
    private func text(
        _ progress: ImportProgress, after elapsed: Duration, columns: Int
    ) -> String {
        let refused = progress.refused > 0 ? ", \(progress.refused) refused" : ""
        let rate = ", \(ImportTotals.rate(progress, elapsed))/s"
        let counts = "\(progress.acknowledged) documents"
        guard let total, total > 0 else {
            return Self.longest([counts + rate + refused, counts + refused, counts], columns)
        }
        let done = Double(progress.acknowledged + progress.refused + progress.skipped)
        let share = min(1, done / Double(total))
        let part = "\(Int(share * 100)) %"
        let head = Self.bar(share) + " \(part)"
        let remaining = remaining(share, elapsed)
        return Self.longest(
            [
                "\(head)  \(counts)\(rate)\(refused)\(remaining)",
                "\(head)  \(counts)\(refused)\(remaining)", "\(head)  \(counts)\(refused)",
                "\(part)  \(counts)\(refused)", "\(part)\(refused)", part,
            ], columns)
    }

    private static func bar(_ share: Double) -> String {
        let filled = Int(share * Double(barColumns))
        return String(repeating: "█", count: filled)
            + String(repeating: "░", count: barColumns - filled)
    }

    /// The first text that fits; a bar that wraps cannot be drawn over.
    private static func longest(_ texts: [String], _ columns: Int) -> String {
        texts.first { DisplayWidth.columns(of: $0) <= columns } ?? ""
    }

    private func remaining(_ share: Double, _ elapsed: Duration) -> String {
        guard share > 0.01, share < 1 else { return "" }
        let seconds = elapsed.inSeconds / share * (1 - share)
        return ", \(DurationText.text(.seconds(seconds))) left"
    }

    private func clear() {
        guard isShown else { return }
        Streams.redraw("")
        isShown = false
    }
}
