package import FresnelClient
package import FresnelModel
package import FresnelSystem

/// A whole load against one cluster: what it needs, and its measurements one after the other.
package struct LoadSession: Sendable {
    /// What is the same in all measurements.
    package struct Settings: Sendable {
        package var workload: Workload
        /// The indexes that are asked; all where it is empty.
        package var indexes: [IndexName] = []
        /// Where words are drawn from.
        package var attributes = ["title", "contentDescription", "keywords"]
        package var seed: UInt64 = 1
        /// Measured and thrown away before the first measurement, in seconds.
        package var warmupSeconds = 2.0
        /// The part of answers (0...1) that the reference matcher looks at.
        package var checkedShare = 0.01
        /// The part of queries (0...1) that ask the broker to say when it has taken them.
        package var acceptedShare = 0.1
        /// Whether a saturation is followed by overload and recovery.
        package var overloads = true
        /// What is done to the cluster in the one measurement of a plan; nil if nothing.
        package var injection: FaultInjection?
        /// Whether the cluster lives on, so that what was written is removed at the end.
        package var cleansUp = true

        package init(workload: Workload) {
            self.workload = workload
        }
    }

    /// Told when a measurement begins, with what it will collect.
    package typealias Observer = @Sendable (_ label: String, _ rate: Double?, Recorder) -> Void

    private let clients: [SearchClient]
    private let settings: Settings
    private let time: any TimeSource
    private let terms: TermSample
    private let writer: LoadWriter?
    private let checker: AnswerChecker
    private let observer: Observer

    /// Draws the terms, and makes what writes need.
    ///
    /// - Throws: `SearchError` when the cluster cannot be asked, or has nothing to draw from.
    package init(
        clients: [SearchClient], settings: Settings, time: any TimeSource,
        observer: @escaping Observer
    ) async throws(SearchError) {
        var settings = settings
        settings.workload = settings.workload.asking(settings.indexes)
        self.clients = clients
        self.settings = settings
        self.time = time
        self.observer = observer
        terms = try await TermSampler.sample(
            clients[0], indexes: settings.indexes, attributes: settings.attributes)
        let status = try await clients[0].status()
        let index = settings.indexes.first ?? .standard
        writer =
            settings.workload.writes
            ? LoadWriter(index: clients[0].index(index), seed: settings.seed) : nil
        checker = AnswerChecker(
            schema: status.schema(of: index), now: Timestamp(wallClock: time.unixSeconds()),
            share: settings.checkedShare)
    }

    /// Runs a plan, and removes what the load wrote.
    package func run(
        _ plan: LoadPlan
    ) async throws(SearchError) -> (measurements: [LoadReport.Measurement], saturation: Double?) {
        var measurements: [LoadReport.Measurement] = []
        var saturation: Double?
        if settings.warmupSeconds > 0 {
            _ = await closed("warm-up", loops: clients.count, seconds: settings.warmupSeconds)
        }
        switch plan {
        case .open(let profile, let spacing):
            measurements.append(await open("main", profile, spacing, settings.injection))
        case .replay(let offsets):
            var run = newRun(seconds: Double(offsets.last ?? 0) / 1e9)
            run.injection = settings.injection
            observer("replay", nil, run.progress)
            let contents = await run.open(ArrivalSchedule(replaying: offsets))
            measurements.append(
                .init(label: "replay", plannedRate: nil, loops: nil, contents: contents))
        case .closed(let loops, let seconds):
            measurements.append(
                await closed("main", loops: loops, seconds: seconds, settings.injection))
        case .steps(let rates, let seconds, let spacing):
            for rate in rates where !Task.isCancelled {
                measurements.append(
                    await open(
                        Figure.rate(rate), .constant(rate, seconds: seconds), spacing))
            }
        case .saturation(let objective, let seconds, let spacing):
            (measurements, saturation) = await saturate(objective, seconds, spacing)
        }
        if settings.cleansUp { try await writer?.clear() }
        return (measurements, saturation)
    }

    private func saturate(
        _ objective: Objective, _ seconds: Double, _ spacing: ArrivalSchedule.Spacing
    ) async -> ([LoadReport.Measurement], Double?) {
        // What closed loops reach says where to begin.
        let first = await closed("estimate", loops: 4 * clients.count, seconds: 3)
        var search = SaturationSearch(startingAt: first.goodput / 4)
        var measurements: [LoadReport.Measurement] = []
        while let rate = search.next, !Task.isCancelled {
            let measured = await open(
                "search \(Figure.rate(rate))", .constant(rate, seconds: seconds), spacing,
                for: .search)
            let total = measured.total
            search.take(
                holds: measured.contents.health.complaint(closed: false) == nil
                    && objective.holds(total.completion, failures: total.failures))
            measurements.append(measured)
        }
        guard let saturation = search.holding, settings.overloads, !Task.isCancelled else {
            return (measurements, search.holding)
        }
        for (label, factor) in [("overload 1.5", 1.5), ("overload 3", 3), ("recovery", 0.5)] {
            let profile = RateProfile.constant(saturation * factor, seconds: seconds)
            measurements.append(
                await open(label, profile, spacing, for: factor > 1 ? .overload : .figures))
        }
        return (measurements, saturation)
    }

    private func open(
        _ label: String, _ profile: RateProfile, _ spacing: ArrivalSchedule.Spacing,
        _ injection: FaultInjection? = nil,
        for purpose: LoadReport.Measurement.Purpose = .figures
    ) async -> LoadReport.Measurement {
        var run = newRun(seconds: profile.seconds)
        run.injection = injection
        let rate = profile.expected / profile.seconds
        observer(label, rate, run.progress)
        let contents = await run.open(
            ArrivalSchedule(profile, spacing: spacing, seed: settings.seed))
        return .init(
            label: label, plannedRate: rate, loops: nil, contents: contents, purpose: purpose)
    }

    private func closed(
        _ label: String, loops: Int, seconds: Double, _ injection: FaultInjection? = nil
    ) async -> LoadReport.Measurement {
        var run = newRun(seconds: seconds)
        run.injection = injection
        observer(label, nil, run.progress)
        let contents = await run.closed(loops: loops, seconds: seconds)
        return .init(label: label, plannedRate: nil, loops: loops, contents: contents)
    }

    private func newRun(seconds: Double) -> LoadRun {
        var run = LoadRun(
            clients: clients, workload: settings.workload, terms: terms, seed: settings.seed,
            time: time, seconds: seconds, writer: writer, checker: checker)
        run.acceptedShare = settings.acceptedShare
        return run
    }
}

extension Workload {
    /// Whether some class writes.
    var writes: Bool {
        classes.contains { kind in
            if case .write = kind.action { true } else { false }
        }
    }

    /// The same, with classes that name no index asking these.
    func asking(_ indexes: [IndexName]) -> Workload {
        Workload(
            name: name,
            classes: classes.map { kind in
                var kind = kind
                if kind.request.indexes.isEmpty { kind.request.indexes = indexes }
                return kind
            })
    }
}
