/// What a whole report says of its objective.
package struct ObjectiveStanding: Hashable, Sendable {
    /// Yes, no, or nobody can tell.
    package enum Mark: String, Sendable {
        /// Every measurement that counts kept it.
        case held
        /// One did not.
        case missed
        /// There were too few answers, or the generator was the limit.
        case unknown
    }

    package let mark: Mark
    /// The bounds, as `p99<50ms`.
    package let bounds: String
    /// What was measured, in words.
    package let text: String

    /// As a person reads it.
    package var sentence: String { "objective \(bounds) \(mark.rawValue): \(text)" }
}

extension LoadReport {
    /// Judges every measurement whose figures count, and notes the objective.
    package mutating func judge(by objective: Objective) {
        self.objective = objective
        for place in measurements.indices
        where measurements[place].purpose == .figures && measurements[place].verdict == nil {
            measurements[place].verdict = objective.verdict(measurements[place])
        }
    }

    /// Whether the objective was held; nil where there is none.
    package var standing: ObjectiveStanding? {
        guard let objective else { return nil }
        let (mark, text) = limitStanding ?? planStanding(objective)
        return ObjectiveStanding(mark: mark, bounds: objective.description, text: text)
    }

    /// Of a search for the highest rate; nil of other plans.
    private var limitStanding: (ObjectiveStanding.Mark, String)? {
        if let scaling, scaling.measure == .saturation {
            if let point = scaling.points.first(where: { $0.throughput == nil && !$0.isLimited }) {
                let size = Figure.count(point.workers, "worker")
                return (.missed, "no rate held it with \(size)")
            }
            guard interruption == nil else { return (.unknown, "not every size was measured") }
            if let point = scaling.points.first(where: \.isLimited) {
                let size = Figure.count(point.workers, "worker")
                return (.unknown, "with \(size) \(point.throughputText)")
            }
            return (.held, "by every size, each up to its own rate")
        }
        guard let limit else { return nil }
        // A search with a rate came to its end, whatever was interrupted after it.
        if limit.isLimited, interruption == nil || saturation != nil {
            return (.unknown, limit.text)
        }
        if let saturation { return (.held, "up to \(Figure.rate(saturation))") }
        guard interruption != nil else { return (.missed, "no rate held it") }
        let highest = measurements.filter { $0.verdict == .holds }.compactMap(\.plannedRate).max()
        return (
            .unknown,
            highest.map { "\(Figure.rate($0)) held it, and perhaps more does" }
                ?? "no rate had held it until then"
        )
    }

    /// The worst of the measurements that count: one missed, else one unknown, else all held.
    private func planStanding(_ objective: Objective) -> (ObjectiveStanding.Mark, String) {
        var unknown: String?
        var held: [String] = []
        for measurement in measurements where measurement.purpose == .figures {
            switch measurement.verdict {
            case .missed(let what):
                return (.missed, "\(measurement.label): \(what)")
            case .holds:
                held.append("\(measurement.label): \(objective.figures(of: measurement))")
            case .unknown, .limited, .cutShort, nil:
                let why = measurement.verdict?.text ?? "not judged"
                unknown = unknown ?? "\(measurement.label): \(why)"
            }
        }
        if let unknown { return (.unknown, unknown) }
        if interruption != nil { return (.unknown, "not all of the plan was measured") }
        return held.isEmpty
            ? (.unknown, "nothing was measured") : (.held, held.joined(separator: "; "))
    }
}

extension Objective {
    /// What a measurement came to at each bound, as `p99 12 ms, 0 % failed`.
    func figures(of measurement: LoadReport.Measurement) -> String {
        let total = measurement.total
        let latencies = bounds.compactMap { bound -> String? in
            guard case .latency(let percentile, _) = bound else { return nil }
            let value = Figure.time(total.completion.known(at: percentile))
            return "p\(Figure.plain(percentile)) \(value)"
        }
        return (latencies + ["\(Figure.percent(total.failures)) failed"]).joined(separator: ", ")
    }
}
