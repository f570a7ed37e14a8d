import BenchmarkWorkload
import FresnelJSON

/// What peers need for the same work, measured at another time: only ratios mean something.
struct PeerNumbers {
    /// The least of all peers in one class, figure by figure, in microseconds of processor time.
    struct Best {
        let median: Double
        let p99: Double
        let mean: Double
        /// Who needs so little; it says which figure is whose when they are of several.
        let peer: String
    }

    /// Where the numbers come from, or that there are none.
    let sentence: String
    /// The bytes of each peer's index, which holds no documents, the smallest first.
    let indexBytes: [(peer: String, bytes: Double)]
    private let best: [String: Best]

    /// Reads the numbers of one catalogue.
    init(path: String, catalogue: String) throws {
        let file = try PeerFile(path: path)
        sentence = file.sentence("catalogues", of: catalogue, source: "source")
        indexBytes = file.sizes("indexBytes", of: catalogue)
        var best: [String: Best] = [:]
        let classes = file.classes("catalogues", of: catalogue)
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
