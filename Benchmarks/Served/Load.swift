import ArgumentParser
import FresnelClient
import FresnelModel
import FresnelSystem
import Synchronization

/// Clients that ask heavy queries, each the next as soon as the former is answered.
struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks heavy queries without pause until the standard input ends.")

    @Option(help: "The cluster.")
    var broker: String

    @Option(help: "The index.")
    var index: String

    @Option(help: "How many clients.")
    var clients: Int

    @Option(help: "What they ask.")
    var query: String

    func run() async throws {
        let answered = Answered()
        let clock = SystemTime()
        let started = clock.monotonicNanoseconds()
        try await withThrowingTaskGroup { group in
            for number in 0..<clients {
                group.addTask {
                    let client = try await SearchClient.connect(to: broker, name: "load\(number)")
                    while !Task.isCancelled {
                        _ = try await client.search(request()).completion()
                        answered.count.add(1, ordering: .relaxed)
                    }
                }
            }
            group.addTask {
                while readLine() != nil {}
            }
            // The first to end is the one that reads, or one that failed.
            try await group.next()
            group.cancelAll()
        }
        let seconds = Double(clock.monotonicNanoseconds() - started) / 1e9
        print(Int(Double(answered.count.load(ordering: .relaxed)) / seconds))
    }

    /// How many queries were answered.
    private final class Answered: Sendable {
        let count = Atomic<Int>(0)
    }

    private func request() throws -> SearchRequest {
        var request = SearchRequest(query)
        request.indexes = [try IndexName(index)]
        request.limit = 10
        return request
    }
}
