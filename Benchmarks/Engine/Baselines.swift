import BenchmarkWorkload
import FresnelJSON

/// Instructions and allocations a query that were true once, and may not grow by more than a tenth.
struct Baselines {
    private static let tolerance = 1.1
    private var value: JSONValue
    private let path: String

    init(path: String) throws {
        self.path = path
        // No file: nothing was recorded yet.
        value = (try? JSONValue(parsing: TextLines.read(path))) ?? [:]
    }

    /// The sentences of what grew; empty when nothing did.
    func complaints(_ figure: String, _ catalogue: String, _ now: [String: Double]) -> [String] {
        now.sorted { Workload.number($0.key) < Workload.number($1.key) }.compactMap { name, count in
            guard let was = value[catalogue]?[figure]?[name]?.double,
                count > was * Self.tolerance + 2
            else { return nil }
            return "\(catalogue) \(name): \(figure) grew from \(was) to \(count) a query"
        }
    }

    /// Replaces the figures of a catalogue.
    mutating func record(_ figure: String, _ catalogue: String, _ now: [String: Double]) throws {
        var all = value.object ?? JSONObject()
        var figures = all[catalogue]?.object ?? JSONObject()
        var counts = JSONObject()
        for (name, count) in now.sorted(by: {
            Workload.number($0.key) < Workload.number($1.key)
        }) {
            counts[name] = .integer(Int64(count.rounded()))
        }
        figures[figure] = .object(counts)
        all[catalogue] = .object(figures)
        value = .object(all)
        try TextLines.write(value.serialized() + "\n", to: path)
    }
}
