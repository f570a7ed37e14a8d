import ArgumentParser
import BenchmarkWorkload
import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelSystem

/// One client that asks the queries of a workload, its classes in turn: each when it is planned,
/// whether those before it are answered or not, or without a plan when the former is answered.
struct Ask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks queries until the standard input ends, and tells their times as JSON.")

    @Option(help: "The broker; else FRESNEL_BROKER or the standard endpoint.")
    var broker: String?

    @Option(help: "The index that is searched.")
    var index: String

    @Option(help: "The queries: one JSON object a line with class, cs, limit and expect.")
    var workload: String

    @Option(help: "Only these classes, parted by commas.")
    var classes: String?

    @Option(help: "Queries planned a second; without it the next one follows the answer.")
    var rate: Double?

    func run() async throws {
        let wanted = classes.map { Set($0.split(separator: ",").map(String.init)) }
        let chosen = try Workload(path: workload).classes
            .filter { wanted?.contains($0.name) ?? true }
        guard !chosen.isEmpty else { throw ValidationError("no class is left to be asked") }
        let answers = try await withSearchClient(to: broker) { client in
            try await withThrowingTaskGroup(of: [String: Answers]?.self) { group in
                group.addTask { try await ask(chosen, client) }
                group.addTask {
                    while readLine() != nil {}
                    return nil
                }
                // The first to end is the one that reads, or one that failed.
                _ = try await group.next()
                group.cancelAll()
                return try await group.next().flatMap(\.self) ?? [:]
            }
        }
        print(Answers.json(answers).serialized())
    }

    private func ask(
        _ classes: [(name: String, queries: [WorkloadQuery])], _ client: SearchClient
    ) async throws -> [String: Answers] {
        try await withThrowingTaskGroup(of: Answered?.self) { group in
            var answers: [String: Answers] = [:]
            let begin = SystemTime().monotonicNanoseconds()
            var (place, waiting) = (0, 0)
            func take() async throws {
                guard let answered = try await group.next() else { return }
                waiting -= 1
                guard let answered else { return }
                answers[answered.name, default: Answers()].note(
                    answered.milliseconds, answered.completion)
            }
            while !Task.isCancelled {
                let (name, queries) = classes[place % classes.count]
                let planned = await turn(place, begin)
                let query = queries[place / classes.count % queries.count]
                group.addTask {
                    try await answer(query, client).map {
                        Answered(
                            name: name, milliseconds: Latencies.seconds(since: planned) * 1000,
                            completion: $0)
                    }
                }
                (place, waiting) = (place + 1, waiting + 1)
                // Who plans asks like many; but no cluster is asked more than it can ever answer.
                if waiting >= (rate == nil ? 1 : Self.mostWaiting) { try await take() }
            }
            while waiting > 0 { try await take() }
            return answers
        }
    }

    /// Planned queries that may wait for their answers at once.
    private static let mostWaiting = 512

    /// A query that was answered: its class, what it took from its plan on, and its completion.
    private struct Answered {
        let name: String
        let milliseconds: Double
        let completion: Completion
    }

    /// Waits until a query is planned, or until the measurement ends.
    ///
    /// - Returns: the instant from which its time counts.
    private func turn(_ place: Int, _ begin: Int64) async -> Int64 {
        let now = SystemTime().monotonicNanoseconds()
        guard let rate else { return now }
        let planned = begin + Int64(Double(place) / rate * 1e9)
        // The only error says that the measurement has ended, which the caller looks at.
        if planned > now { try? await Task.sleep(for: .nanoseconds(planned - now)) }
        return planned
    }

    /// Asks one query until it is complete; nil when the measurement ended meanwhile.
    private func answer(
        _ query: WorkloadQuery, _ client: SearchClient
    ) async throws -> Completion? {
        let request = try query.request(in: client.index(named: index).name)
        do {
            let completion = try await client.search(request).completion()
            return Task.isCancelled ? nil : completion
        } catch {
            // The end of the measurement ends its last query, too.
            guard Task.isCancelled else { throw error }
            return nil
        }
    }
}
