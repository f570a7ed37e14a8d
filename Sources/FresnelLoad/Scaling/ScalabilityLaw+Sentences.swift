// What a law says, in words.

extension ScalabilityLaw {
    /// What the coefficients say.
    var sentences: [String] {
        [
            "one worker alone does \(Figure.rate(single)) (λ)",
            "\(Figure.percent(contention)) of the work waits for something that all share (σ)",
            coherency > 0
                ? "each pair of workers costs \(Figure.percent(coherency)) for agreeing (κ)"
                : "no cost of agreeing can be seen (κ = 0)",
        ]
    }

    /// What the limit says.
    ///
    /// - Parameters:
    ///   - limit: what is told of it; nil if nothing.
    ///   - most: the highest throughput that was measured.
    func sentences(limit: Double?, most: Double) -> [String] {
        guard let limit else {
            guard let bound = self.limit else { return [] }
            return [
                "more was measured (\(Figure.rate(most))) than the law allows "
                    + "(\(Figure.rate(bound))), so no limit is told"
            ]
        }
        guard let peak, peak > 1 else {
            return ["however many workers, no more than \(Figure.rate(limit))"]
        }
        return [
            "beyond \(Figure.plain(peak)) workers more are slower, with "
                + "\(Figure.rate(limit)) at most"
        ]
    }
}
