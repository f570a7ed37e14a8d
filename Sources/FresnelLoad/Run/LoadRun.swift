package import FresnelClient
import FresnelModel
package import FresnelSystem
import Synchronization

/// One run of a workload against a cluster.
package struct LoadRun: Sendable {
    /// Connections that requests are spread over.
    let clients: [SearchClient]
    let workload: Workload
    let terms: TermSample
    /// Draws classes, terms and which answers are looked at.
    let seed: UInt64
    let time: any TimeSource
    let recorder: Recorder
    let writer: LoadWriter?
    let checker: AnswerChecker
    /// The part of queries (0...1) that ask the broker to say when it has taken them.
    package var acceptedShare = 0.0
    /// What is done to the cluster meanwhile; nil if nothing.
    package var injection: FaultInjection?

    /// Requests that wait at once at most; what comes beyond is counted as unsent, and makes the
    /// run invalid.
    package static let waitingMost = 20_000
    /// Requests still under way at the end of the plan may take this long, in seconds.
    static let patienceSeconds = 60.0

    package init(
        clients: [SearchClient], workload: Workload, terms: TermSample, seed: UInt64,
        time: any TimeSource, seconds: Double, writer: LoadWriter?, checker: AnswerChecker
    ) {
        precondition(!clients.isEmpty, "somebody has to ask")
        self.clients = clients
        self.workload = workload
        self.terms = terms
        self.seed = seed
        self.time = time
        self.writer = writer
        self.checker = checker
        recorder = Recorder(classes: workload.classes, seconds: seconds)
    }

    /// What has been measured so far; for a live view.
    package var progress: Recorder { recorder }

    /// Sends requests when the schedule says, whatever becomes of the earlier ones, and waits for
    /// the last of them.
    package func open(_ schedule: ArrivalSchedule) async -> Recorder.Contents {
        let clock = RunClock(time)
        var draws = SeededGenerator(seed: seed)
        await withDiscardingTaskGroup { group in
            group.addTask { await injection?.run(clock, recorder) }
            for (number, planned) in schedule.enumerated() {
                guard await clock.sleep(until: planned) else { break }
                let place = workload.place(of: draws.uniform())
                let request = PlannedRequest(
                    number: number, place: place, planned: planned, seed: draws.next())
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
    package func closed(loops: Int, seconds: Double) async -> Recorder.Contents {
        let clock = RunClock(time)
        let end = Int64(seconds * 1e9)
        await withDiscardingTaskGroup { group in
            group.addTask { await injection?.run(clock, recorder) }
            for loop in 0..<loops {
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
