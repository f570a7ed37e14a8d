import ArgumentParser
import FresnelClient
import FresnelModel
import FresnelSystem

/// One client that asks queries in turn: each when it is planned, or when the former is answered.
struct Ask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks queries until the standard input ends, and prints their times.")

    @Option(help: "The broker; else FRESNEL_BROKER or the standard endpoint.")
    var broker: String?

    @Option(help: "The index that is searched.")
    var index: String

    @Option(help: "A file of queries, one a line, asked in turn for their ten best hits.")
    var queries: String

    @Option(help: "Queries planned a second; without it the next one follows the answer.")
    var rate: Double?

    func run() async throws {
        let texts = try TextLines.all(of: queries)
        let times = try await withSearchClient(to: broker) { client in
            try await withThrowingTaskGroup(of: Latencies?.self) { group in
                group.addTask { try await ask(texts, client) }
                group.addTask {
                    while readLine() != nil {}
                    return nil
                }
                // The first to end is the one that reads, or one that failed.
                _ = try await group.next()
                group.cancelAll()
                return try await group.next().flatMap(\.self) ?? Latencies()
            }
        }
        print(times.description)
    }

    private func ask(_ texts: [String], _ client: SearchClient) async throws -> Latencies {
        var times = Latencies()
        let begin = SystemTime().monotonicNanoseconds()
        var place = 0
        while !Task.isCancelled {
            let planned = try await turn(place, begin)
            guard try await answer(texts[place % texts.count], client) else { break }
            times.note(since: planned)
            place += 1
        }
        return times
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

    /// Asks one query until it is complete; false when the measurement ended meanwhile.
    private func answer(_ text: String, _ client: SearchClient) async throws -> Bool {
        var request = SearchRequest(text)
        request.indexes = [try client.index(named: index).name]
        request.limit = 10
        do {
            _ = try await client.search(request).completion()
        } catch {
            // The end of the measurement ends its last query, too.
            guard Task.isCancelled else { throw error }
        }
        return !Task.isCancelled
    }
}
