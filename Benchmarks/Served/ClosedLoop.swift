import BenchmarkWorkload
import FresnelClient
import FresnelModel
import FresnelSystem

/// Clients of the library that each ask the next query as soon as the former is answered.
struct ClosedLoop {
    private let queries: [WorkloadQuery]
    private let index: IndexName
    private let broker: String
    private let clients: Int

    init(_ queries: [WorkloadQuery], index: IndexName, broker: String, clients: Int) {
        self.queries = queries
        self.index = index
        self.broker = broker
        self.clients = clients
    }

    /// What came of one query.
    private struct Outcome: Sendable {
        var isKept = false
        /// What is wrong with the answer, if anything.
        var complaint: String?
    }

    /// Asks for a while; half a second before is not counted.
    func run(seconds: Double, processes: ClusterProcesses) async throws -> Served {
        var connections: [SearchClient] = []
        for number in 0..<clients {
            connections.append(try await SearchClient.connect(to: broker, name: "bench\(number)"))
        }
        let clock = SystemTime()
        let begin = clock.monotonicNanoseconds() + 500_000_000
        let end = begin + Int64(seconds * 1e9)
        let requests = try queries.map { try $0.request(in: index) }
        let beginning = Beginning()
        let shares = try await withThrowingTaskGroup(of: Share.self) { group in
            for (number, connection) in connections.enumerated() {
                group.addTask(executorPreference: connection.taskExecutor) {
                    var share = Share()
                    var place = number * queries.count / clients
                    while true {
                        let started = clock.monotonicNanoseconds()
                        if started >= end { return share }
                        if started >= begin { beginning.note(processes) }
                        let outcome = try await Self.ask(
                            requests[place], queries[place], connection)
                        let ended = clock.monotonicNanoseconds()
                        if ended >= begin, ended < end { share.countInTime() }
                        let took = ended - started
                        place = (place + 1) % queries.count
                        guard started >= begin else { continue }
                        share.count(
                            took: took, isKept: outcome.isKept, complaint: outcome.complaint)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let spent = processes.times.since(beginning.times ?? processes.times)
        for connection in connections { await connection.close() }
        return Share.served(shares, seconds: seconds, spent: spent)
    }

    /// Asks one query and takes all its hits.
    private static func ask(
        _ request: SearchRequest, _ query: WorkloadQuery, _ client: SearchClient
    ) async throws -> Outcome {
        let search = client.search(request)
        var hits = 0
        if !request.isCountOnly {
            for try await batch in search.batches { hits += batch.count }
        }
        let completion = try await search.completion()
        return Outcome(
            isKept: completion.isKept,
            complaint: query.complaint(
                status: completion.status.rawValue, found: Int(completion.found), hits: hits))
    }
}
