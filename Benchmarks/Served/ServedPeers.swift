import BenchmarkWorkload
import FresnelJSON

/// What served peers did for the same work, measured on another day: only ratios mean something.
struct ServedPeers {
    /// The best peer of a class with one number of clients.
    struct Best {
        /// Queries a second.
        let rate: Double
        /// Microseconds, of the best peer's with one client.
        let p99: Double
        let peer: String
    }

    let source: String
    private var best: [String: [Int: Best]] = [:]

    /// Reads the numbers of one catalogue; none of a catalogue that is not there.
    init(path: String, catalogue: String) throws {
        let value = try JSONValue(parsing: TextLines.read(path))
        source = value["servedSource"]?.string ?? path
        let classes = value["served"]?[catalogue]?.object
        for name in classes?.keys ?? [] {
            for clients in [1, 8, 32] {
                guard let row = classes?[name]?["\(clients)"], let rate = row["rate"]?.double,
                    let p99 = row["p99"]?.double
                else { continue }
                best[name, default: [:]][clients] = Best(
                    rate: rate, p99: p99, peer: row["peer"]?.string ?? "")
            }
        }
    }

    subscript(name: String, clients: Int) -> Best? { best[name]?[clients] }
}
