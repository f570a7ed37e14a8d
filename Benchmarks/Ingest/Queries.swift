import FresnelClient
import FresnelModel
import FresnelSystem

/// One client that asks queries in turn, without a pause.
enum Queries {
    /// Asks until `body` has ended.
    static func run(
        _ texts: [String], _ index: String, _ client: SearchClient,
        during body: @Sendable () async throws -> Void
    ) async throws -> Latencies {
        try await withThrowingTaskGroup(of: Latencies?.self) { group in
            group.addTask {
                var times = Latencies()
                var place = 0
                while !Task.isCancelled {
                    var request = SearchRequest(texts[place % texts.count])
                    request.indexes = [try client.index(named: index).name]
                    request.limit = 10
                    let asked = request
                    do {
                        try await times.measure {
                            let query = client.search(asked)
                            for try await _ in query.hits {}
                            _ = try await query.completion()
                        }
                    } catch  where Task.isCancelled {
                        break  // the measurement has ended, and the query with it
                    }
                    place += 1
                }
                return times
            }
            // Not a task of the group: what it captures need not outlive this call.
            do {
                try await body()
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            return try await group.next().flatMap(\.self) ?? Latencies()
        }
    }
}

/// Times of one kind of request.
struct Latencies: Sendable, CustomStringConvertible {
    /// Milliseconds.
    private var times: [Double] = []

    /// Does something and keeps how long it took.
    mutating func measure(_ body: () async throws -> Void) async throws {
        let started = SystemTime().monotonicNanoseconds()
        try await body()
        times.append(Self.seconds(since: started) * 1000)
    }

    /// The seconds since an instant of the monotonic clock.
    static func seconds(since started: Int64) -> Double {
        Double(SystemTime().monotonicNanoseconds() - started) / 1e9
    }

    /// Count, p50, p99 and the longest, in milliseconds.
    var description: String {
        guard !times.isEmpty else { return "none" }
        let sorted = times.sorted()
        func text(_ share: Double) -> String {
            let time = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
            return "\(Double(Int(time * 100)) / 100)"
        }
        return "\(times.count), ms p50 \(text(0.5)), p99 \(text(0.99)), longest \(text(1))"
    }
}
