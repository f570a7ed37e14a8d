package import FresnelClient
package import FresnelModel
package import FresnelSystem
import Synchronization

/// A whole load against one cluster: its measurements one after the other.
package struct LoadSession: Sendable {
    /// What is the same in all measurements.
    package struct Settings: Sendable {
        package var workload: Workload
        /// Of a replay the recorded times in nanoseconds, ascending.
        package var replayed: [Int64] = []
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
        /// Tells the memory of the cluster's processes, in bytes; nil asks the cluster itself.
        package var memory: (@Sendable () async -> [String: UInt64])?
        /// Asks the cluster how it stands, nil where it does not answer; nil asks nothing.
        package var status: (@Sendable () async -> ClusterStatus?)?
        /// Whether the cluster lives on, so that what was written is removed at the end.
        package var cleansUp = true

        package init(workload: Workload) {
            self.workload = workload
        }
    }

    /// Told when a measurement begins, with a way to ask how it goes.
    package typealias Observer =
        @Sendable (LoadOrder, _ progress: @escaping @Sendable () -> LoadProgress) -> Void

    private let generator: any LoadGenerator
    let settings: Settings
    private let time: any TimeSource
    private let observer: Observer

    package init(
        _ generator: any LoadGenerator, settings: Settings, time: any TimeSource,
        observer: @escaping Observer
    ) {
        self.generator = generator
        self.settings = settings
        self.time = time
        self.observer = observer
    }

    /// Runs a plan as far as it gets, and removes what the load wrote.
    package func run(_ plan: LoadPlan) async -> LoadCourse {
        if settings.warmupSeconds > 0 {
            let order = LoadOrder(
                label: "warm-up", arrivals: .closed(loops: generator.connectionCount),
                seconds: settings.warmupSeconds, secondsAfter: plan.seconds,
                stream: LoadOrder.warmUpStream)
            _ = await measure(order)
        }
        var course = await self.course(of: plan)
        course.isCutShort = Task.isCancelled
        // Of what nothing had come yet nothing is told.
        course.measurements.removeAll { $0.isCutShort && $0.total.count == 0 }
        if settings.cleansUp { course.leftovers = await clear() }
        return course
    }

    /// The measurements of a plan, one after the other, until the load is cancelled.
    private func course(of plan: LoadPlan) async -> LoadCourse {
        guard !Task.isCancelled else { return LoadCourse() }
        let injection = settings.injection
        switch plan {
        case .open(let profile, let spacing):
            let order = LoadOrder(
                label: "main", arrivals: .open(profile, spacing), seconds: profile.seconds,
                secondsAfter: 0)
            return LoadCourse([await measure(order, injection)])
        case .replay(let offsets):
            let order = LoadOrder(
                label: "replay", arrivals: .replay, seconds: Double(offsets.last ?? 0) / 1e9,
                secondsAfter: 0)
            return LoadCourse([await measure(order, injection)])
        case .closed(let loops, let seconds):
            let order = LoadOrder(
                label: "main", arrivals: .closed(loops: loops), seconds: seconds, secondsAfter: 0)
            return LoadCourse([await measure(order, injection)])
        case .steps(let rates, let seconds, let spacing):
            return LoadCourse(await step(rates, seconds, spacing))
        case .saturation(let objective, let seconds, let spacing):
            return await saturate(objective, seconds, spacing)
        }
    }

    /// Removes what the load wrote, also when the load was cancelled: a task of its own goes on.
    private func clear() async -> Leftovers? {
        let removal = Task { [generator, settings] () -> Leftovers? in
            do throws(SearchError) {
                try await generator.clear()
                return nil
            } catch {
                let indexes = settings.workload.asking(settings.indexes).writtenIndexes
                return Leftovers(error: error, indexes: indexes)
            }
        }
        return await removal.value
    }

    private func step(
        _ rates: [Double], _ seconds: Double, _ spacing: ArrivalSchedule.Spacing
    ) async -> [LoadReport.Measurement] {
        var measurements: [LoadReport.Measurement] = []
        for (number, rate) in rates.enumerated() where !Task.isCancelled {
            let order = LoadOrder(
                label: Figure.rate(rate),
                arrivals: .open(.constant(rate, seconds: seconds), spacing), seconds: seconds,
                secondsAfter: Double(rates.count - number - 1) * seconds, stream: UInt64(number))
            measurements.append(await measure(order))
            // Without one of its processes a load makes no more of its plan.
            guard measurements.allSatisfy(\.contents.health.losses.isEmpty) else { break }
        }
        return measurements
    }

    /// How many closed loops there are for each connection where a limit is guessed.
    var guessedLoops: Int { 4 * generator.connectionCount }

    /// Makes one measurement, watches the cluster meanwhile, and does to it what a script says.
    func measure(
        _ order: LoadOrder, _ injection: FaultInjection? = nil,
        for purpose: LoadReport.Measurement.Purpose = .figures
    ) async -> LoadReport.Measurement {
        var started = order
        started.start = time.monotonicNanoseconds() + generator.leadNanoseconds
        let order = started
        let clock = RunClock(time, start: order.start)
        let seen = Sightings()
        var contents = await withTaskGroup(of: Void.self) { group in
            async let faults: Void? = injection?.run(clock) { seen.note($0) }
            group.addTask { await watchMemory(clock, seen) }
            group.addTask { await watchCluster(clock, seen) }
            let contents = await generator.measure(order) { observer(order, $0) }
            await faults
            group.cancelAll()
            return contents
        }
        seen.add(to: &contents)
        var measurement = LoadReport.Measurement(
            label: order.label, plannedRate: order.rate, plannedSeconds: order.seconds,
            loops: order.loops, contents: contents, purpose: purpose)
        if Task.isCancelled {
            measurement.isCutShort = true
            measurement.plannedSeconds = min(order.seconds, measurement.elapsedSeconds)
        }
        measurement.contents.timeline.reach(measurement.plannedSeconds ?? 0)
        return measurement
    }

    /// Looks at the memory of the cluster's processes every second, until it is cancelled.
    private func watchMemory(_ clock: RunClock, _ seen: Sightings) async {
        guard let memory = settings.memory else { return }
        await every(1, clock) { seen.note(await memory()) }
    }

    /// Asks for the cluster's status again and again until it is cancelled, also while earlier
    /// questions wait: only so a broker that is silent for a short time is seen.
    private func watchCluster(_ clock: RunClock, _ seen: Sightings) async {
        guard let status = settings.status else { return }
        await withDiscardingTaskGroup { questions in
            await every(ClusterCourse.period, clock) {
                let asked = clock.now
                seen.ask(at: asked)
                // Each ends by the deadline that every request has, so there are few of them.
                questions.addTask {
                    // An interrupt is no silence of the broker.
                    guard let status = await status(), !Task.isCancelled else { return }
                    seen.note(
                        status, asked: asked, at: clock.now, withMemory: settings.memory == nil)
                }
            }
        }
    }

    private func every(_ seconds: Double, _ clock: RunClock, _ look: () async -> Void) async {
        let period = Int64(seconds * 1e9)
        var number: Int64 = 0
        while await clock.sleep(until: number * period) {
            await look()
            number = max(number, clock.now / period) + 1
        }
    }
}

/// What was seen of the cluster beside the requests of a measurement.
private final class Sightings: Sendable {
    private struct State {
        var events: [Timeline.Event] = []
        var observed: [Timeline.Event] = []
        var memory = MemoryCourse()
        var course = ClusterCourse()
    }

    private let state = Mutex(State())

    func note(_ event: Timeline.Event) { state.withLock { $0.events.append(event) } }

    func note(_ bytes: [String: UInt64]) { state.withLock { $0.memory.take(bytes) } }

    /// Notes that the cluster is asked, so many nanoseconds after the beginning.
    func ask(at nanoseconds: Int64) {
        state.withLock { $0.course.ask(at: Double(nanoseconds) / 1e9) }
    }

    /// Takes what the cluster tells of itself.
    ///
    /// - Parameters:
    ///   - asked: when it was asked, in nanoseconds after the beginning; see ``ask(at:)``.
    ///   - nanoseconds: when the answer came.
    func note(
        _ status: ClusterStatus, asked: Int64, at nanoseconds: Int64, withMemory: Bool
    ) {
        state.withLock { state in
            state.observed += state.course.take(
                ClusterLook(status), asked: Double(asked) / 1e9, at: Double(nanoseconds) / 1e9)
            guard withMemory else { return }
            state.memory.take(
                Dictionary(
                    status.workers.map { ($0.name, $0.residentBytes) }, uniquingKeysWith: { $1 }))
        }
    }

    func add(to contents: inout Recorder.Contents) {
        state.withLock { state in
            contents.timeline.events += state.events
            let rest = state.course.finish(at: Double(contents.health.wallNanoseconds) / 1e9)
            for event in state.observed + rest { contents.timeline.observe(event) }
            contents.memory = state.memory
        }
    }
}

extension Workload {
    /// The indexes that classes write into, in the order of their names.
    package var writtenIndexes: [IndexName] {
        Set(classes.compactMap(\.writtenIndex)).sorted { $0.text < $1.text }
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
