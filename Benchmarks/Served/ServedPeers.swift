import BenchmarkWorkload
import FresnelJSON

/// What served peers did for the same work, at another time: only ratios mean something.
struct ServedPeers {
    /// Which peers are among them.
    enum Which: String {
        /// Those that compute each answer.
        case computing = "served"
        /// All as they come, with as many kept answers as they keep by themselves.
        case shipped = "servedShipped"
        /// Those, too, that were told to keep more answers than a class has queries.
        case keeping = "servedKept"
    }

    /// The best peer of a class with one number of clients.
    struct Best {
        /// Queries a second.
        let rate: Double
        /// Microseconds, of that peer.
        let p99: Double
        /// Whether that is with one client, as in the stored numbers, instead of as many.
        let isOfOneClient: Bool
        let peer: String
    }

    /// Where the numbers come from, or that there are none.
    let sentence: String
    /// What each has in memory when it was asked everything: bytes, the least first.
    let memoryBytes: [(peer: String, bytes: Double)]
    private var best: [String: [Int: Best]] = [:]

    /// Reads the numbers of one catalogue; none of a catalogue that is not there.
    ///
    /// Stored ones are all of the first kind.
    init(path: String, catalogue: String, _ which: Which) throws {
        let file = try PeerFile(path: path)
        let part = which.rawValue
        memoryBytes = file.sizes("servedBytes", of: catalogue)
        sentence = file.sentence(part, of: catalogue, source: "servedSource")
        let classes = file.classes(part, of: catalogue)
        for name in classes?.keys ?? [] {
            for clients in [1, 8, 32] {
                guard let row = classes?[name]?["\(clients)"], let rate = row["rate"]?.double,
                    let p99 = row["p99"]?.double
                else { continue }
                best[name, default: [:]][clients] = Best(
                    rate: rate, p99: p99, isOfOneClient: file.isStored,
                    peer: row["peer"]?.string ?? "")
            }
        }
    }

    subscript(name: String, clients: Int) -> Best? { best[name]?[clients] }
}
