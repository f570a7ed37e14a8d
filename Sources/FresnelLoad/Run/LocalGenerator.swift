package import FresnelClient
package import FresnelModel
package import FresnelSystem

/// Makes its share of the requests in this process.
package struct LocalGenerator: LoadGenerator {
    let clients: [SearchClient]
    let settings: LoadSession.Settings
    private let share: LoadShare
    private let time: any TimeSource
    let terms: TermSample
    let writers: LoadWriters
    let status: ClusterStatus
    private let checker: AnswerChecker

    package var connectionCount: Int { clients.count }
    package var leadNanoseconds: Int64 { 0 }

    /// Draws the terms, and makes what writes need.
    ///
    /// - Throws: `SearchError` when the cluster cannot be asked, or has nothing to draw from.
    package init(
        clients: [SearchClient], settings: LoadSession.Settings, share: LoadShare = .whole,
        time: any TimeSource
    ) async throws(SearchError) {
        precondition(!clients.isEmpty, "somebody has to ask")
        var settings = settings
        settings.workload = settings.workload.asking(settings.indexes)
        self.clients = clients
        self.settings = settings
        self.share = share
        self.time = time
        terms = try await TermSampler.sample(
            clients[0], indexes: settings.indexes, attributes: settings.attributes)
        status = try await clients[0].status()
        let index = settings.indexes.first ?? .standard
        writers = LoadWriters(settings, clients[0], share: share)
        checker = AnswerChecker(
            schema: status.schema(of: index), now: Timestamp(wallClock: time.unixSeconds()),
            share: settings.checkedShare)
    }

    package func measure(_ order: LoadOrder, observe: LoadObserver) async -> Recorder.Contents {
        let recorder = Recorder(classes: settings.workload.classes, seconds: order.seconds)
        let seed = order.seed(from: settings.seed)
        var run = LoadRun(
            clients: clients, workload: settings.workload, terms: terms, seed: seed,
            recorder: recorder, writers: writers, checker: checker, share: share)
        run.acceptedShare = settings.acceptedShare
        observe { recorder.progress }
        let clock = RunClock(time, start: order.start)
        switch order.arrivals {
        case .open(let profile, let spacing):
            return await run.open(
                ArrivalSchedule(profile, spacing: spacing, seed: seed), clock)
        case .replay:
            return await run.open(ArrivalSchedule(replaying: settings.replayed), clock)
        case .closed(let loops):
            return await run.closed(loops: loops, seconds: order.seconds, clock)
        }
    }

    package func clear() async throws(SearchError) {
        try await writers.clear()
    }
}
