import FresnelClient
import FresnelModel
import FresnelSystem

/// One run of a workload against a cluster, or this process's share of it.
struct LoadRun: Sendable {
    /// Connections that requests are spread over.
    let clients: [SearchClient]
    let workload: Workload
    let terms: TermSample
    /// Draws classes, terms and which answers are looked at.
    let seed: UInt64
    let recorder: Recorder
    let writers: LoadWriters
    let checker: AnswerChecker
    let share: LoadShare
    /// The part of queries (0...1) that ask the broker to say when it has taken them.
    var acceptedShare = 0.0

    /// Requests that wait at once at most; what comes beyond is counted as unsent, and makes the
    /// run invalid.
    static let waitingMost = 20_000

    init(
        clients: [SearchClient], workload: Workload, terms: TermSample, seed: UInt64,
        recorder: Recorder, writers: LoadWriters, checker: AnswerChecker, share: LoadShare
    ) {
        self.clients = clients
        self.workload = workload
        self.terms = terms
        self.seed = seed
        self.recorder = recorder
        self.writers = writers
        self.checker = checker
        self.share = share
    }

    /// Sends requests when the schedule says, whatever becomes of the earlier ones, and waits for
    /// the last of them.
    func open(_ schedule: ArrivalSchedule, _ clock: RunClock) async -> Recorder.Contents {
        var draws = SeededGenerator(seed: seed)
        await withDiscardingTaskGroup { group in
            for (number, planned) in schedule.enumerated() {
                // Drawn for everybody, so that each process draws the same.
                let place = workload.place(of: draws.uniform())
                let request = PlannedRequest(
                    number: number, place: place, planned: planned, seed: draws.next())
                guard share.has(number) else { continue }
                guard await clock.sleep(until: planned) else { break }
                guard recorder.begin(most: Self.waitingMost) else {
                    let now = clock.now
                    recorder.end(
                        RequestRecord(
                            place: place, planned: planned, sent: now, ended: now,
                            outcome: .unsent), wasBegun: false)
                    continue
                }
                group.addTask { await perform(request, clock) }
            }
        }
        return close(clock)
    }

    /// `loops` clients, each of which asks again when its answer is whole, for `seconds`.
    ///
    /// A system that stalls is asked less: useful for comparison, not for latencies under load.
    func closed(loops: Int, seconds: Double, _ clock: RunClock) async -> Recorder.Contents {
        let end = Int64(seconds * 1e9)
        guard await clock.sleep(until: 0) else { return close(clock) }
        await withDiscardingTaskGroup { group in
            for loop in 0..<loops where share.has(loop) {
                group.addTask {
                    var draws = SeededGenerator(seed: seed &+ UInt64(loop) &* 0x9E37_79B9)
                    var round = 0
                    while clock.now < end, !Task.isCancelled {
                        let place = workload.place(of: draws.uniform())
                        _ = recorder.begin(most: .max)
                        await perform(
                            PlannedRequest(
                                number: loop + round * loops, place: place, planned: clock.now,
                                seed: draws.next()), clock)
                        round += 1
                    }
                }
            }
        }
        return close(clock)
    }

    private func close(_ clock: RunClock) -> Recorder.Contents {
        recorder.close(
            processorNanoseconds: clock.processorNanoseconds, wallNanoseconds: clock.now)
        return recorder.contents
    }
}

/// One request of a run, before it is made.
struct PlannedRequest: Sendable {
    /// Its number; chooses the connection.
    let number: Int
    /// The place of its class.
    let place: Int
    /// Nanoseconds after the beginning of the run.
    let planned: Int64
    /// Draws its terms.
    let seed: UInt64
}

extension SeededGenerator {
    /// A number in 0..<1.
    mutating func uniform() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
