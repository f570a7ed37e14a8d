// Whether measured figures keep an objective: yes, no, or too few to say.

extension Objective {
    /// What a measurement says of an objective.
    package enum Verdict: Hashable, Sendable {
        /// Every bound is kept.
        case holds
        /// A bound is not kept; which, and what was measured.
        case missed(String)
        /// There are too few answers to tell a percentile.
        case unknown(answers: UInt64, needed: UInt64)
        /// The generator, and not the cluster, was the limit.
        case limited(String)
        /// The load was interrupted before it was measured to the end.
        case cutShort

        /// What a person reads.
        package var text: String {
            switch self {
            case .holds: "holds"
            case .missed(let what): "missed: \(what)"
            case .unknown(let answers, let needed):
                "too few answers to judge: \(answers), where \(needed) are needed"
            case .limited(let why): "the generator was the limit: \(why)"
            case .cutShort: "not measured to the end"
            }
        }
    }

    /// So many answers tell every percentile of the bounds.
    package var answersLeast: UInt64 {
        bounds.map { bound in
            guard case .latency(let percentile, _) = bound else { return 0 }
            return LatencySummary.least(at: percentile)
        }.max() ?? 0
    }

    /// No rate of a search is measured for longer, in seconds.
    package static let secondsMost = 300.0

    /// How long a rate has to be measured for enough answers, with a tenth more for chance.
    package func seconds(at rate: Double) -> Double {
        min(Self.secondsMost, Double(answersLeast) * 1.1 / max(rate, 0.01))
    }

    /// Judges one measurement.
    package func verdict(_ measurement: LoadReport.Measurement) -> Verdict {
        guard !measurement.isCutShort else { return .cutShort }
        if let limit = measurement.contents.health.complaint(closed: measurement.loops != nil) {
            return .limited(limit)
        }
        let total = measurement.total
        // Of no requests none failed, and that is no news.
        guard total.count > 0 else { return .unknown(answers: 0, needed: max(1, answersLeast)) }
        return verdict(total.completion, failures: total.failures)
    }

    /// Judges latencies from plan to completion, and the part of requests that went wrong (0...1).
    ///
    /// Of too few answers a percentile is unknown, unless so many are beyond the bound already that
    /// the rest cannot make up for them.
    package func verdict(_ latency: LatencySummary, failures: Double) -> Verdict {
        guard failures <= failuresMost else {
            return .missed("\(Figure.percent(failures)) failed")
        }
        var answer = Verdict.holds
        for case .latency(let percentile, let limit) in bounds {
            let needed = LatencySummary.least(at: percentile)
            if latency.count < needed {
                let beyond = (1 - latency.share(upTo: limit)) * Double(latency.count)
                guard beyond > LatencySummary.beyondLeast else {
                    answer = .unknown(answers: latency.count, needed: needed)
                    continue
                }
            } else if latency.value(at: percentile) < limit {
                continue
            }
            let value = Figure.time(latency.value(at: percentile))
            return .missed("\(Figure.percentile(percentile)) \(value)")
        }
        return answer
    }
}
