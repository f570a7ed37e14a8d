import BenchmarkWorkload
import FresnelClient
import FresnelModel
import FresnelSystem
import Synchronization

/// Clients that each ask the next query as soon as the former is answered.
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

    /// What one client saw.
    private struct Share: Sendable {
        var times: [Int64] = []
        var wrong = 0
        var kept = 0
        var complaint: String?
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
                        let took = clock.monotonicNanoseconds() - started
                        place = (place + 1) % queries.count
                        guard started >= begin else { continue }
                        share.times.append(took)
                        if outcome.isKept { share.kept += 1 }
                        guard let complaint = outcome.complaint else { continue }
                        share.wrong += 1
                        share.complaint = complaint
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let spent = processes.times.since(beginning.times ?? processes.times)
        for connection in connections { await connection.close() }
        let times = shares.flatMap(\.times)
        return Served(
            rate: Double(times.count) / seconds, timings: Timings(times),
            wrong: shares.reduce(0) { $0 + $1.wrong },
            kept: Double(shares.reduce(0) { $0 + $1.kept }) / Double(max(1, times.count)),
            complaint: shares.compactMap(\.complaint).first, spent: spent)
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
            complaint: complaint(about: completion, hits: hits, of: query, request))
    }

    private static func complaint(
        about completion: Completion, hits: Int, of query: WorkloadQuery, _ request: SearchRequest
    ) -> String? {
        guard completion.isComplete else { return "\(query.text) ended \(completion.status)" }
        guard Int(completion.found) == query.expected else {
            return "\(query.text) finds \(completion.found), not \(query.expected)"
        }
        let due = request.isCountOnly ? 0 : min(query.limit ?? .max, query.expected)
        return hits == due ? nil : "\(query.text) gives \(hits) hits, not \(due)"
    }
}

/// What the processes had spent when the first query was counted.
private final class Beginning: Sendable {
    private let isNoted = Atomic<Bool>(false)
    private let noted = Mutex<ClusterProcesses.Times?>(nil)

    var times: ClusterProcesses.Times? { noted.withLock { $0 } }

    /// Takes them down; the first call counts.
    func note(_ processes: ClusterProcesses) {
        guard !isNoted.exchange(true, ordering: .relaxed) else { return }
        let times = processes.times
        noted.withLock { $0 = times }
    }
}

extension WorkloadQuery {
    /// The request of a query: what its class asks for.
    func request(in index: IndexName) throws -> SearchRequest {
        var request = SearchRequest(text)
        request.indexes = [index]
        request.limit = limit
        let number = "com_bench_n"
        switch name {
        case "Q5", "Q6", "Q8", "Q11":
            // Any hits, without score: an order that asks for none, delivered as found.
            request.delivery = .found
            request.sort = [SortKey(.attribute(number), isAscending: true)]
        case "Q9":
            let isAscending = !(isDescending ?? true)
            request.sort = [SortKey(.attribute(number), isAscending: isAscending)]
        case "Q10", "Q12":
            request.isCountOnly = true
            request.limit = nil
        default: break
        }
        return request
    }
}
