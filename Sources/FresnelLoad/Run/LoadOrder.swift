import FresnelSystem

/// One measurement: which requests are to be made, and from when on.
package struct LoadOrder: Codable, Sendable {
    /// When requests are made.
    package enum Arrivals: Codable, Sendable {
        /// At the times of a schedule.
        case open(RateProfile, ArrivalSchedule.Spacing)
        /// At the recorded times that the generator has.
        case replay
        /// Whenever one of so many clients has its answer.
        case closed(loops: Int)
    }

    /// What the report calls it.
    package var label: String
    package var arrivals: Arrivals
    /// How long requests are made.
    package var seconds: Double
    /// How long the measurements behind it will take; nil where nobody knows.
    package var secondsAfter: Double?
    /// The percentiles that it is judged by; nil where nobody judges it.
    package var percentiles: [Double]?
    /// Which of the streams of requests that a seed gives is asked.
    ///
    /// No two measurements of a load ask the same one: what one asks again of another is in the
    /// cluster's caches, and a rate that asks more would meet more that is not.
    package var stream: UInt64
    /// When it begins, on the clock of this machine that never jumps.
    package var start: Int64 = 0

    package init(
        label: String, arrivals: Arrivals, seconds: Double, secondsAfter: Double? = nil,
        stream: UInt64 = 0
    ) {
        self.label = label
        self.arrivals = arrivals
        self.seconds = seconds
        self.secondsAfter = secondsAfter
        self.stream = stream
    }

    /// What is measured and thrown away asks none of the streams of figures.
    static let warmUpStream = UInt64.max
    /// The measurement that only says where a search begins.
    static let estimateStream = UInt64.max - 1

    /// What classes, terms and times of this stream are drawn from; the load's seed of the first.
    func seed(from load: UInt64) -> UInt64 {
        guard stream > 0 else { return load }
        var streams = SeededGenerator(seed: stream)
        return load ^ streams.next()
    }

    /// Requests a second that are planned; nil where none are.
    package var rate: Double? {
        guard case .open(let profile, _) = arrivals else { return nil }
        return profile.expected / profile.seconds
    }

    /// Closed loops; nil of planned requests.
    package var loops: Int? {
        guard case .closed(let loops) = arrivals else { return nil }
        return loops
    }
}
