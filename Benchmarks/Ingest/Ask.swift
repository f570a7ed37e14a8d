import ArgumentParser
import BenchmarkWorkload
import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelSystem

/// One client that asks the queries of a workload, its classes in turn: each when it is planned, or
/// when the former is answered.
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
        var told = JSONObject()
        for (name, answers) in answers { told[name] = answers.json }
        print(JSONValue.object(told).serialized())
    }

    private func ask(
        _ classes: [(name: String, queries: [WorkloadQuery])], _ client: SearchClient
    ) async throws -> [String: Answers] {
        var answers: [String: Answers] = [:]
        let begin = SystemTime().monotonicNanoseconds()
        var place = 0
        while !Task.isCancelled {
            let (name, queries) = classes[place % classes.count]
            let planned = try await turn(place, begin)
            let query = queries[place / classes.count % queries.count]
            guard let completion = try await answer(query, client) else { break }
            answers[name, default: Answers()].note(
                Latencies.seconds(since: planned) * 1000, completion)
            place += 1
        }
        return answers
    }

    /// Waits until a query is planned, or until the measurement ends.
    ///
    /// - Returns: the instant from which its time counts.
    private func turn(_ place: Int, _ begin: Int64) async throws -> Int64 {
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
