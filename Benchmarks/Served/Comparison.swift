/// Our figures beside those of the best peers, all classes and numbers of clients together.
struct Comparison {
    private let title: String
    private let peers: ServedPeers
    private var ratios: [Double] = []
    /// Where a peer answers more queries a second, and where a slow one of its answers comes
    /// sooner, with the ratios.
    private var (slower, later): ([String], [String]) = ([], [])
    /// In how many cells the slow ones could be compared.
    private var compared = 0

    /// - Parameter title: what is compared with what.
    init(_ title: String, with peers: ServedPeers) {
        self.title = title
        self.peers = peers
    }

    mutating func add(_ name: String, clients: Int, _ served: Served) {
        guard let peer = peers[name, clients] else { return }
        let ratio = served.rate / peer.rate
        ratios.append(ratio)
        let cell = "\(name) with \(clients)"
        if ratio < 0.995 { slower.append("\(cell) \(Self.hundredths(ratio))") }
        // A stored p99 is that of one client.
        guard !peer.isOfOneClient || clients == 1 else { return }
        let delay = served.timings.microseconds(atShare: 0.99) / peer.p99
        compared += 1
        if delay > 1.005 { later.append("\(cell) \(Self.hundredths(delay))") }
    }

    /// Nothing where no peer was asked the same.
    var lines: [String] {
        guard !ratios.isEmpty else { return [] }
        return [
            "\(title): \(mean) times the best peer's queries a second (geometric mean of "
                + "\(ratios.count))",
            "  behind in queries a second: \(Self.list(slower))",
            "  with a longer p99, times the peer's: "
                + (compared > 0 ? Self.list(later) : "not known of these peers"),
        ]
    }

    private static func list(_ cells: [String]) -> String {
        cells.isEmpty ? "nowhere" : cells.joined(separator: ", ")
    }

    private var mean: String {
        // The n-th root by halving: no logarithm without Foundation.
        var low = 0.0
        var high = ratios.max() ?? 1
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let product = ratios.reduce(1) { $0 * middle / $1 }
            if product < 1 { low = middle } else { high = middle }
        }
        return Self.hundredths(low)
    }

    private static func hundredths(_ ratio: Double) -> String {
        "\((ratio * 100).rounded() / 100)"
    }
}
