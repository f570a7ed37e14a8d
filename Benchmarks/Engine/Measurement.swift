import BenchmarkWorkload
import FresnelWire
import Meter

/// Processor times of the queries of one class, one thread, and what they cost beside.
struct Measurement {
    let name: String
    /// Nanoseconds of each query, the best of all runs, ascending.
    private(set) var times: [Int64] = []
    /// The same in the order of the queries, with what each asks.
    private(set) var each: [(query: String, nanoseconds: Int64)] = []
    /// Blocks of memory asked for, a query.
    private(set) var allocations = 0.0

    /// Runs each query `runs` times.
    ///
    /// - Parameter answer: what is measured.
    init(
        _ name: String, _ queries: [WorkloadQuery], runs: Int,
        _ answer: (WireSearch) throws -> Void
    ) throws {
        self.name = name
        let searches = queries.map { QueryRunner.search($0) }
        var best = [Int64](repeating: .max, count: searches.count)
        var total: UInt64 = 0
        for run in 0..<runs {
            for (place, search) in searches.enumerated() {
                let blocks = meter_thread_allocations()
                let started = meter_thread_nanoseconds()
                try answer(search)
                best[place] = min(best[place], meter_thread_nanoseconds() - started)
                if run == runs - 1 { total += meter_thread_allocations() - blocks }
            }
        }
        times = best.sorted()
        each = zip(queries, best).map { ($0.text, $1) }
        allocations = Double(total) / Double(max(1, searches.count))
    }

    var median: Double { percentile(0.5) }
    var p99: Double { percentile(0.99) }

    /// Microseconds on average.
    var mean: Double {
        Double(times.reduce(0, +)) / Double(max(1, times.count)) / 1000
    }

    private func percentile(_ share: Double) -> Double {
        guard !times.isEmpty else { return 0 }
        return Double(times[min(times.count - 1, Int(Double(times.count) * share))]) / 1000
    }
}
