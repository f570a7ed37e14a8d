import ArgumentParser
import BenchmarkWorkload
import FresnelClient
import FresnelModel

/// Queries a second of each class with many clients at once, beside the floor of their messages and
/// the best peer.
struct Ask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Queries a second and times of each class of a workload.")

    @Option(help: "The cluster.")
    var broker: String

    @Option(help: "The queries: one JSON object a line with class, cs, limit and expect.")
    var workload: String

    @Option(help: "The index.")
    var index = "bench"

    @Option(help: "Clients at once, parted by commas; each has a connection of its own.")
    var clients = "1,8,32"

    @Option(help: "Only these classes, parted by commas.")
    var classes = ""

    @Option(help: "Seconds that each class is asked, after half a second that is not counted.")
    var seconds = 3.0

    @Flag(help: "Send requests made beforehand and only count what comes, as with the peers.")
    var bare = false

    @Option(
        help: """
            Hits that are granted at once where all are asked for, and again when half of them are \
            there, with --bare; clients of the library grant 1000.
            """)
    var credit = Limits.creditItems

    @Option(help: "The supervisor of the cluster, whose processes' time is told; 0 for none.")
    var supervisor = 0

    @Option(help: "The program that measures bare messages; none leaves the floor out.")
    var floor: String?

    @Option(help: "Workers, for the floor.")
    var workers = 2

    @Option(help: "What peers need.")
    var peers = "Benchmarks/peers.json"

    @Flag(help: "The cluster keeps answers: beside peers that do, too.")
    var keeps = false

    @Option(help: "The name of the catalogue in the file of peers.")
    var name = ""

    func validate() throws {
        guard (1...Limits.creditItems).contains(credit) else {
            throw ValidationError(
                "--credit \(credit): from 1 to \(Limits.creditItems) hits can be granted at once")
        }
    }

    func run() async throws {
        let chosen = try Workload(path: workload).classes(named: classes)
        let file = self.peers
        let peers = try ServedPeers(
            path: file, catalogue: name, keeps ? .keeping : .computing)
        print(peers.sentence)
        var comparisons = [
            Comparison(keeps ? "beside peers that keep answers" : "asked each time", with: peers)
        ]
        if keeps {
            // Each as it comes: this program keeps answers, and one of the peers some.
            let shipped = try ServedPeers(path: file, catalogue: name, .shipped)
            comparisons.append(Comparison("beside peers as they are shipped", with: shipped))
        }
        print("CPU: µs a query of broker, workers and this process")
        var (wrong, answers) = (0, 0)
        for count in clients.split(separator: ",").compactMap({ Int($0) }) {
            var floors = try measuredFloor(clients: count).map { [$0] } ?? []
            let floor = floors.first?.description ?? "not measured"
            print("\n\(count) clients; the floor: \(floor)")
            let floorTitle = keeps ? "of floor, echo" : "of floor"
            print(
                "class     q/s  p50 µs  p99 µs   broker workers client kept % | \(floorTitle) | "
                    + "peer q/s")
            for (name, queries) in chosen {
                let served = try await run(queries, clients: count)
                let peer = peers[name, count]
                // The machine's speed changes from minute to minute: what it was before and after.
                if let after = try measuredFloor(clients: count) { floors.append(after) }
                print(
                    served.row(
                        name, floor: MessageFloor.rate(of: floors.suffix(2)),
                        echo: keeps ? try measuredFloor(clients: count, workers: 0)?.rate : nil,
                        peer: peer))
                for place in comparisons.indices {
                    comparisons[place].add(name, clients: count, served)
                }
                (wrong, answers) = (wrong + served.wrong, answers + served.timings.count)
                if served.wrong > 0 {
                    let complaint = served.complaint ?? ""
                    print("  \(served.wrong) of them other than expected: \(complaint)")
                }
            }
            if floors.count > 1 {
                print("the floor beside them: \(MessageFloor.range(of: floors))")
            }
        }
        print()
        print(
            ClusterProcesses(supervisor: supervisor).memory
                .sentence(beside: peers.memoryBytes))
        for line in comparisons.flatMap(\.lines) { print(line) }
        print(Workload.sentence(wrong: wrong, of: answers))
    }

    /// - Parameter workers: those of the cluster; 0 for a broker that answers by itself.
    private func measuredFloor(clients: Int, workers: Int? = nil) throws -> MessageFloor? {
        try floor.map {
            try MessageFloor($0, workers: workers ?? self.workers, clients: clients)
        }
    }

    private func run(_ queries: [WorkloadQuery], clients: Int) async throws -> Served {
        let processes = ClusterProcesses(supervisor: supervisor)
        let index = try IndexName(index)
        return bare
            ? try await BareLoop(
                queries, index: index, broker: broker, clients: clients, window: credit
            ).run(seconds: seconds, processes: processes)
            : try await ClosedLoop(queries, index: index, broker: broker, clients: clients)
                .run(seconds: seconds, processes: processes)
    }
}
