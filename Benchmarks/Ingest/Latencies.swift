import FresnelJSON
import FresnelSystem

/// Times of one kind of request.
struct Latencies: Sendable, CustomStringConvertible {
    /// Milliseconds.
    private var times: [Double] = []

    /// Does something and keeps how long it took.
    mutating func measure(_ body: () async throws -> Void) async throws {
        let started = SystemTime().monotonicNanoseconds()
        try await body()
        note(since: started)
    }

    /// Keeps how long something took that was begun, or planned, at an instant of that clock.
    mutating func note(since started: Int64) {
        times.append(Self.seconds(since: started) * 1000)
    }

    /// The seconds since an instant of the monotonic clock.
    static func seconds(since started: Int64) -> Double {
        Double(SystemTime().monotonicNanoseconds() - started) / 1e9
    }

    /// Takes those of another measurement, too.
    static func += (left: inout Latencies, right: Latencies) {
        left.times += right.times
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

extension Latencies {
    /// As they are kept: milliseconds.
    var json: JSONValue { .array(times.map { .number($0) }) }

    /// Reads what was kept.
    init(_ json: JSONValue) {
        times = (json.array ?? []).compactMap(\.double)
    }
}
