/// What a load does, one measurement after the other.
package enum LoadPlan: Sendable {
    /// Requests at the times of a schedule.
    case open(RateProfile, ArrivalSchedule.Spacing)
    /// Requests at recorded times, in nanoseconds after the beginning.
    case replay([Int64])
    /// So many clients, each of which asks again when its answer is whole.
    case closed(loops: Int, seconds: Double)
    /// Each of these rates for so long, each a measurement of its own.
    case steps([Double], secondsEach: Double, ArrivalSchedule.Spacing)
    /// The highest rate that holds an objective, then overload, then recovery.
    case saturation(Objective, secondsEach: Double, ArrivalSchedule.Spacing)

    /// How long its one measurement lasts, in seconds; nil where there are several.
    package var seconds: Double? {
        switch self {
        case .open(let profile, _): profile.seconds
        case .replay(let offsets): Double(offsets.last ?? 0) / 1e9
        case .closed(_, let seconds): seconds
        case .steps, .saturation: nil
        }
    }

    /// As a person would say it.
    package var text: String {
        func spaced(_ spacing: ArrivalSchedule.Spacing) -> String {
            spacing == .poisson ? "at random (Poisson)" : "evenly spaced"
        }
        switch self {
        case .open(let profile, let spacing):
            let rates = profile.phases.map { phase in
                phase.start == phase.end
                    ? Figure.rate(phase.start)
                    : "\(Figure.plain(phase.start)) to \(Figure.rate(phase.end))"
            }
            return "\(rates.joined(separator: ", ")) \(spaced(spacing)), "
                + "\(Figure.plain(profile.seconds)) s"
        case .replay(let offsets):
            return "\(offsets.count) requests as they were recorded, "
                + "\(Figure.plain(Double(offsets.last ?? 0) / 1e9)) s"
        case .closed(let loops, let seconds):
            return "\(loops) closed loops, \(Figure.plain(seconds)) s"
        case .steps(let rates, let seconds, let spacing):
            return "\(rates.map(Figure.rate).joined(separator: ", ")) \(spaced(spacing)), "
                + "\(Figure.plain(seconds)) s each"
        case .saturation(let objective, let seconds, let spacing):
            return "the highest rate with \(objective), \(spaced(spacing)), "
                + "at least \(Figure.plain(seconds)) s a rate"
        }
    }
}
