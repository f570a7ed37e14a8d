/// What many measured times say together; printed in microseconds: p50, p99 and most.
struct Timings: CustomStringConvertible {
    /// Nanoseconds, ascending.
    private let times: [Int64]

    init(_ nanoseconds: [Int64]) {
        times = nanoseconds.sorted()
    }

    var count: Int { times.count }

    /// Microseconds that this share of the times is not above; the nearest rank.
    func microseconds(atShare share: Double) -> Double {
        guard !times.isEmpty else { return 0 }
        let rank = Int((Double(times.count) * share).rounded(.up)) - 1
        return Double(times[min(max(0, rank), times.count - 1)]) / 1000
    }

    var description: String {
        [0.5, 0.99, 1].map { share in
            let text = String(Int(microseconds(atShare: share).rounded()))
            return String(repeating: " ", count: max(0, 6 - text.count)) + text
        }.joined(separator: " ")
    }
}
