/// What clusters of several sizes came to under the same load.
package struct ScalingReport: Sendable {
    /// One cluster.
    package struct Point: Sendable {
        package let workers: Int
        package let documents: UInt64
        /// Requests a second: the highest rate that held an objective, or good answers of the
        /// measurement; nil where no rate held.
        package let throughput: Double?
        /// From plan to completion, at that throughput.
        package let latency: LatencySummary
        package let services: ServiceSamples
        /// Whether the generator was the limit of a search, so that more may hold.
        package let isLimited: Bool

        package init(
            workers: Int, documents: UInt64, throughput: Double?, latency: LatencySummary,
            services: ServiceSamples, isLimited: Bool = false
        ) {
            self.workers = workers
            self.documents = documents
            self.throughput = throughput
            self.latency = latency
            self.services = services
            self.isLimited = isLimited
        }

        /// The throughput with its unit; a dash where no rate held.
        package var throughputText: String {
            SearchLimit.text(throughput, isLimited: isLimited) ?? "–"
        }
    }

    /// A law of as many points as have the same documents.
    package struct Law: Sendable {
        package let documents: UInt64
        package let law: ScalabilityLaw
        /// What its coefficients say.
        package let sentences: [String]
        /// No number of workers does more, in requests a second; nil where measured points say
        /// otherwise, or the second size did less than the first.
        package let limit: Double?

        /// - Parameter points: workers and requests a second, that `law` was fitted to.
        package init(
            documents: UInt64, law: ScalabilityLaw,
            points: [(workers: Double, throughput: Double)]
        ) {
            self.documents = documents
            self.law = law
            let sizes = points.sorted { $0.workers < $1.workers }
            let first = sizes.first
            let second = sizes.first { $0.workers > first?.workers ?? 0 }
            let most = points.map(\.throughput).max() ?? 0
            var sentences = law.sentences
            if let first, let second, second.throughput < first.throughput {
                limit = nil
                sentences.append(
                    "\(Figure.plain(second.workers)) workers gave less than "
                        + "\(Figure.plain(first.workers)) on this machine "
                        + "(\(Figure.rate(second.throughput)), \(Figure.rate(first.throughput))), "
                        + "so no limit is told")
            } else {
                limit = law.limit.flatMap { $0 >= most ? $0 : nil }
                sentences += law.sentences(limit: limit, most: most)
            }
            if points.count < 4 {
                sentences.append(
                    "\(points.count) sizes are few for such a law: take it as a sketch")
            }
            self.sentences = sentences
        }
    }

    /// How throughput was measured.
    package enum Measure: String, Sendable {
        /// The highest rate that held the objective.
        case saturation
        /// What closed loops reached.
        case closedLoops = "closed loops"
        /// Good answers at one planned rate: below the limit no statement about it.
        case plannedRate = "planned rate"

        /// What a person reads.
        package var title: String {
            switch self {
            case .saturation: "highest rate that held the objective"
            case .closedLoops: "good answers a second of closed loops"
            case .plannedRate: "good answers a second at the planned rate"
            }
        }
    }

    package let measure: Measure
    /// Processors of the machine that ran everything.
    package let processors: Int
    package let points: [Point]
    package let laws: [Law]
    package let simulation: FanOutSimulation?
    /// What a reader has to know of the figures.
    package let remarks: [String]

    package init(_ points: [Point], measure: Measure, processors: Int, seed: UInt64) {
        self.points = points
        self.measure = measure
        self.processors = processors
        laws = measure == .plannedRate ? [] : Self.laws(points)
        simulation = Self.simulation(points, seed: seed)
        remarks = Self.remarks(points, measure, processors)
    }

    private static func laws(_ points: [Point]) -> [Law] {
        Set(points.map(\.documents)).sorted().compactMap { documents in
            // Where the generator was the limit, the cluster's is not known.
            let measured = points.filter {
                $0.documents == documents && !$0.isLimited
            }.compactMap { point in
                point.throughput.map { (workers: Double(point.workers), throughput: $0) }
            }
            guard let law = ScalabilityLaw.fitted(to: measured) else { return nil }
            return Law(documents: documents, law: law, points: measured)
        }
    }

    /// Simulates more workers of the smallest cluster's kind, where those of the most documents
    /// say what one more worker costs.
    private static func simulation(_ points: [Point], seed: UInt64) -> FanOutSimulation? {
        guard let documents = points.map(\.documents).max() else { return nil }
        let usable = points.filter {
            $0.documents == documents
                && $0.services.samples.count >= FanOutSimulation.samplesLeast
        }
        let sizes = Set(usable.map(\.workers))
        guard sizes.count > 1, let smallest = usable.min(by: { $0.workers < $1.workers }) else {
            return nil
        }
        let around = usable.map { point in
            let sorted = point.services.samples.map(\.around).sorted()
            return (Double(point.workers), Double(sorted[sorted.count / 2]))
        }
        return FanOutSimulation(
            smallest.services, workers: smallest.workers,
            mergeMicroseconds: max(0, slope(of: around)), seed: seed)
    }

    /// The slope of the line that lies nearest to points.
    private static func slope(of points: [(x: Double, y: Double)]) -> Double {
        let count = Double(points.count)
        let x = points.reduce(0) { $0 + $1.x } / count
        let y = points.reduce(0) { $0 + $1.y } / count
        let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        return spread > 0 ? points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / spread : 0
    }

    /// What is to be known of a cluster and a load on one machine; nil if each has a processor.
    package static func sharing(workers: Int, processors: Int) -> String? {
        guard workers + 2 > processors else { return nil }
        return "\(Figure.count(workers, "worker")), a broker and the load shared "
            + "\(Figure.count(processors, "processor")): what looks like contention is also this "
            + "machine's"
    }

    private static func remarks(
        _ points: [Point], _ measure: Measure, _ processors: Int
    ) -> [String] {
        let most = points.map(\.workers).max() ?? 0
        var remarks = [sharing(workers: most, processors: processors)].compactMap(\.self)
        if measure == .plannedRate {
            remarks.append(
                "good answers at one planned rate are no limit, so no law is fitted; "
                    + "--saturate or --clients measure one")
        }
        for point in points where point.isLimited {
            remarks.append(
                "with \(Figure.count(point.workers, "worker")) \(point.throughputText), so no law "
                    + "is fitted to that size")
        }
        for point in points where point.throughput == nil && !point.isLimited {
            remarks.append(
                "no rate held the objective with \(Figure.count(point.workers, "worker"))")
        }
        return remarks
    }
}
