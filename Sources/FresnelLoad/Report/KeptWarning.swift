// A broker tells small answers again while nothing is written (decision 0026). Whoever measures the
// search must know how many of the answers were none of it: they ask no worker, and are fast.

extension LoadReport {
    /// From this part of the answers (0...1) on it is told that they were kept.
    static let keptLeast = 0.1

    /// That many answers were told again, and how to measure without; nil where few were.
    var keptWarning: String? {
        let shares = measurements.compactMap(\.keptShare)
        guard let least = shares.min(), let most = shares.max(), most >= Self.keptLeast else {
            return nil
        }
        let (low, high) = (Figure.percent(least), Figure.percent(most))
        let part =
            low == high ? "\(low) of the answers" : "\(low) to \(high) of a measurement's answers"
        return "\(part) were told again by the broker, which asked no worker for them: rates and "
            + "latencies are of both kinds; "
            + (setting.keptAnswers == nil
                ? "a broker with --kept-answers 0" : "--kept-answers 0")
            + " measures the search alone"
    }
}

extension LoadReport.Measurement {
    /// The part that was told again, where it is large enough to be told.
    var keptText: String? {
        keptShare.flatMap { $0 >= LoadReport.keptLeast ? Figure.percent($0) : nil }
    }
}

extension LoadReport.Setting {
    /// How much the broker may keep of its answers, in words; nil where nobody knows.
    var keptAnswersText: String? {
        keptAnswers.map { $0 == 0 ? "no kept answers" : "\($0) MiB of kept answers" }
    }
}
