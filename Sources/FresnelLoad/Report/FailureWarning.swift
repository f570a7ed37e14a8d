import FresnelModel

// A run in which many requests failed is valid: its figures are true. But its latencies are those
// of the few that did not, and look better than what most people met.

extension LoadReport {
    /// What everybody who reads the figures has to know of them, each a sentence.
    package var warnings: [String] {
        measurements.compactMap { measurement in
            measurement.failureWarning.map { "\(measurement.label): \($0)" }
        } + [keptWarning].compactMap(\.self)
    }
}

extension LoadReport.Measurement {
    /// From this part of the requests (0...1) on failures are told.
    private static let failuresLeast = 0.1

    /// That many requests failed, and what to do; nil where few did, or that is what it is for.
    fileprivate var failureWarning: String? {
        let total = total
        guard purpose == .figures, total.failures >= Self.failuresLeast else { return nil }
        let failed = total.outcomes.filter(\.key.isFailure)
        let most = failed.max { ($0.value, $1.key.title) < ($1.value, $0.key.title) }?.key
        let isTooMuch =
            switch most {
            case .failed(.busy)?, .incomplete(.deadline)?: true
            default: false
            }
        return "\(Figure.percent(total.failures)) of the requests did not succeed"
            + (most.map { ", mostly \($0.title)" } ?? "") + "; latencies are those of the others"
            + (isTooMuch
                ? ". More was asked than the cluster holds: take a smaller rate, or --saturate, "
                    + "which finds the highest that it holds" : "")
    }
}
