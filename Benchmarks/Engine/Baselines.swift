import BenchmarkWorkload
import FresnelJSON

/// Instructions and allocations a query that were true once, and may not grow by more than a tenth.
struct Baselines {
    private static let tolerance = 1.1
    private var value: JSONValue
    private let path: String

    init(path: String) throws {
        self.path = path
        // No file: nothing was recorded yet. One that cannot be read must not be written over.
        value = TextLines.exists(path) ? try JSONValue(parsing: TextLines.read(path)) : [:]
    }

    /// The sentences of what grew, of what has no baseline and of what was not counted; empty when
    /// all is well.
    ///
    /// - Parameter isWhole: whether all classes of the catalogue were asked.
    func complaints(
        _ figure: String, _ catalogue: String, _ now: [String: Double], isWhole: Bool
    ) -> [String] {
        let sorted = now.sorted { Workload.number($0.key) < Workload.number($1.key) }
        let known = value[catalogue]?[figure]
        let grown = sorted.compactMap { name, count -> String? in
            guard let was = known?[name]?.double, count > was * Self.tolerance + 2
            else { return nil }
            return "\(catalogue) \(name): \(figure) grew from \(was) to \(count) a query"
        }
        guard !sorted.isEmpty else { return ["\(catalogue): no \(figure) were counted"] }
        let former = known?.object?.keys.map { $0 } ?? []
        let gone = isWhole ? former.filter { now[$0] == nil } : []
        guard gone.isEmpty else {
            return grown + [
                "\(catalogue): no \(figure) were counted of \(gone.joined(separator: ", ")), "
                    + "which have a baseline: take it out of the file if they are no longer asked"
            ]
        }
        // A gate that has nothing to compare with would be open.
        let new = sorted.map(\.key).filter { known?[$0]?.double == nil }
        guard !new.isEmpty else { return grown }
        let names = new.joined(separator: ", ")
        let order =
            ["sample", "sample-written"].contains(catalogue)
            ? "make bench-check RECORD=1" : "ARGS=--record"
        return grown + [
            "\(catalogue) has no baseline for \(names) (\(figure)): record one with \(order)"
        ]
    }

    /// Replaces the figures of these classes of a catalogue; those of others stay.
    mutating func record(_ figure: String, _ catalogue: String, _ now: [String: Double]) throws {
        var all = value.object ?? JSONObject()
        var figures = all[catalogue]?.object ?? JSONObject()
        let former = figures[figure]?.object ?? JSONObject()
        var values: [String: JSONValue] = [:]
        for name in former.keys { values[name] = former[name] }
        for (name, count) in now { values[name] = .integer(Int64(count.rounded())) }
        var counts = JSONObject()
        for name in values.keys.sorted(by: { Workload.number($0) < Workload.number($1) }) {
            counts[name] = values[name]
        }
        figures[figure] = .object(counts)
        all[catalogue] = .object(figures)
        value = .object(all)
        try TextLines.write(value.serialized() + "\n", to: path)
    }
}
