/// What a search for the highest rate says of more than it found.
package struct SearchLimit: Hashable, Sendable {
    /// The highest rate that held, in requests a second; nil where none did.
    package let rate: Double?
    /// Whether the generator, and not the cluster, was the limit: then nobody knows whether more
    /// would have held.
    package let isLimited: Bool

    /// Reads the measurements of one search, in any order.
    ///
    /// The lowest rate that failed above the held one decides: the generator was the limit if it
    /// was every time that this rate was tried.
    package init(_ rate: Double?, of measurements: [LoadReport.Measurement]) {
        self.rate = rate
        // The rate of a measurement is what its plan comes to, nearly the same.
        let least = (rate ?? 0) * (1 + 1e-6)
        let failed = measurements.filter { measurement in
            measurement.purpose == .search && (measurement.plannedRate ?? 0) > least
                && measurement.verdict != .holds
        }
        let lowest = failed.compactMap(\.plannedRate).min() ?? 0
        let deciding = failed.filter { ($0.plannedRate ?? 0) <= lowest * (1 + 1e-6) }
        isLimited =
            !deciding.isEmpty
            && deciding.allSatisfy { measurement in
                guard case .limited = measurement.verdict else { return false }
                // Where a process was lost the search was given up.
                return measurement.contents.health.losses.isEmpty
            }
    }

    /// What was found, with a unit: `100/s`, `at least 100/s: the generator was the limit`.
    package var text: String { Self.text(rate, isLimited: isLimited) ?? "no rate" }

    /// The same of any rate; nil where there is none and the generator was not the limit.
    static func text(_ rate: Double?, isLimited: Bool) -> String? {
        guard isLimited else { return rate.map(Figure.rate) }
        return (rate.map { "at least \(Figure.rate($0))" } ?? "not known")
            + ": the generator was the limit"
    }
}

extension LoadReport {
    /// What the search of this report found; nil of other plans, and of several clusters.
    package var limit: SearchLimit? {
        guard scaling == nil, measurements.contains(where: { $0.purpose == .search }) else {
            return nil
        }
        return SearchLimit(saturation, of: measurements)
    }

    /// Whether a search, of any of several clusters, ended at the generator's limit.
    package var isLimitedSearch: Bool {
        limit?.isLimited == true || scaling?.points.contains(where: \.isLimited) == true
    }
}
