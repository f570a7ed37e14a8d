// The highest rate that holds an objective, then more than that, then less.

extension LoadSession {
    /// Searches the rate, and measures overload and recovery unless the settings say otherwise.
    func saturate(
        _ objective: Objective, _ seconds: Double, _ spacing: ArrivalSchedule.Spacing
    ) async -> LoadCourse {
        // What closed loops reach says where to begin.
        let guess = LoadOrder(
            label: "estimate", arrivals: .closed(loops: guessedLoops), seconds: 3,
            stream: LoadOrder.estimateStream)
        let first = await measure(guess)
        guard !Task.isCancelled else { return LoadCourse() }
        var search = SaturationSearch(startingAt: first.goodput / 4)
        var measurements: [LoadReport.Measurement] = []
        while let rate = search.next, !Task.isCancelled {
            var order = order(
                "search \(Figure.rate(rate))", rate, objective, seconds, spacing,
                left: search.stepsLeft)
            order.stream = UInt64(measurements.count)
            var measured = await measure(order, for: .search)
            let verdict = objective.verdict(measured)
            measured.verdict = verdict
            measurements.append(measured)
            guard measured.contents.health.losses.isEmpty, !measured.isCutShort else {
                return LoadCourse(measurements)
            }
            search.take(holds: verdict == .holds)
        }
        // Of a search that was interrupted nobody knows whether more would have held.
        guard search.next == nil else { return LoadCourse(measurements) }
        guard let saturation = search.holding, settings.overloads else {
            return LoadCourse(measurements, saturation: search.holding)
        }
        let after = [("overload 1.5", 1.5), ("overload 3", 3), (LoadReport.recovery, 0.5)]
        for (number, (label, factor)) in after.enumerated() where !Task.isCancelled {
            var order = order(
                label, saturation * factor, objective, seconds, spacing,
                left: after.count - number - 1)
            order.stream = UInt64(measurements.count)
            let measured = await measure(order, for: factor > 1 ? .overload : .figures)
            measurements.append(measured)
            guard measured.contents.health.losses.isEmpty else { return LoadCourse(measurements) }
        }
        return LoadCourse(measurements, saturation: saturation)
    }

    /// A measurement of one rate, long enough to tell the percentiles of the objective.
    private func order(
        _ label: String, _ rate: Double, _ objective: Objective, _ seconds: Double,
        _ spacing: ArrivalSchedule.Spacing, left: Int?
    ) -> LoadOrder {
        let seconds = max(seconds, objective.seconds(at: rate).rounded(.up))
        var order = LoadOrder(
            label: label, arrivals: .open(.constant(rate, seconds: seconds), spacing),
            seconds: seconds, secondsAfter: left.map { Double($0) * seconds })
        order.percentiles = objective.percentiles
        return order
    }
}
