// The highest rate that holds an objective, then more than that, then less.

extension LoadSession {
    /// Searches the rate, and measures overload and recovery unless the settings say otherwise.
    func saturate(
        _ objective: Objective, _ seconds: Double, _ spacing: ArrivalSchedule.Spacing
    ) async -> ([LoadReport.Measurement], Double?) {
        // What closed loops reach says where to begin.
        let guess = LoadOrder(
            label: "estimate", arrivals: .closed(loops: guessedLoops), seconds: 3)
        let first = await measure(guess)
        var search = SaturationSearch(startingAt: first.goodput / 4)
        var measurements: [LoadReport.Measurement] = []
        while let rate = search.next, !Task.isCancelled {
            let order = order(
                "search \(Figure.rate(rate))", rate, objective, seconds, spacing,
                left: search.stepsLeft)
            var measured = await measure(order, for: .search)
            let verdict = objective.verdict(measured)
            measured.verdict = verdict
            measurements.append(measured)
            guard measured.contents.health.losses.isEmpty else { return (measurements, nil) }
            search.take(holds: verdict == .holds)
        }
        guard let saturation = search.holding, settings.overloads, !Task.isCancelled else {
            return (measurements, search.holding)
        }
        let after = [("overload 1.5", 1.5), ("overload 3", 3), ("recovery", 0.5)]
        for (number, (label, factor)) in after.enumerated() {
            let order = order(
                label, saturation * factor, objective, seconds, spacing,
                left: after.count - number - 1)
            let measured = await measure(order, for: factor > 1 ? .overload : .figures)
            measurements.append(measured)
            guard measured.contents.health.losses.isEmpty else { return (measurements, nil) }
        }
        return (measurements, saturation)
    }

    /// A measurement of one rate, long enough to tell the percentiles of the objective.
    private func order(
        _ label: String, _ rate: Double, _ objective: Objective, _ seconds: Double,
        _ spacing: ArrivalSchedule.Spacing, left: Int?
    ) -> LoadOrder {
        let seconds = max(seconds, objective.seconds(at: rate).rounded(.up))
        return LoadOrder(
            label: label, arrivals: .open(.constant(rate, seconds: seconds), spacing),
            seconds: seconds, secondsAfter: left.map { Double($0) * seconds })
    }
}
