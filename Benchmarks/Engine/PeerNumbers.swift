import BenchmarkWorkload
import FresnelJSON

/// What peers need for the same work, measured on another day: only ratios mean something.
struct PeerNumbers {
    /// The best of all peers in one class, in microseconds of processor time.
    struct Best {
        let median: Double
        let p99: Double
        let mean: Double
        let peer: String
    }

    let source: String
    private let best: [String: Best]

    /// Reads the numbers of one catalogue.
    init(path: String, catalogue: String) throws {
        let value = try JSONValue(parsing: TextLines.read(path))
        source = value["source"]?.string ?? path
        var best: [String: Best] = [:]
        let classes = value["catalogues"]?[catalogue]?.object
        for key in classes?.keys ?? [] {
            guard let row = classes?[key], let median = row["p50"]?.double,
                let p99 = row["p99"]?.double, let mean = row["mean"]?.double
            else { continue }
            best[key] = Best(
                median: median, p99: p99, mean: mean, peer: row["peer"]?.string ?? "")
        }
        self.best = best
    }

    subscript(name: String) -> Best? { best[name] }
}
