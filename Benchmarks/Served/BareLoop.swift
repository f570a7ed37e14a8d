import BenchmarkWorkload
import FresnelModel
import FresnelSystem
import ZeroMQ

/// Clients that each ask the next query as soon as the former is answered, with requests made
/// beforehand and answers that are only counted: what the load of the peers does.
struct BareLoop {
    private let queries: [WorkloadQuery]
    private let index: IndexName
    private let broker: String
    private let clients: Int
    /// Hits that a query without a limit is granted at once.
    private let window: Int

    init(
        _ queries: [WorkloadQuery], index: IndexName, broker: String, clients: Int, window: Int
    ) {
        self.queries = queries
        self.index = index
        self.broker = broker
        self.clients = clients
        self.window = window
    }

    /// Asks for a while; half a second before is not counted.
    func run(seconds: Double, processes: ClusterProcesses) async throws -> Served {
        let endpoint = try Endpoint(broker)
        let plan = BareClients.Plan(
            questions: try queries.map { try BareQuestion($0, in: index, window: window) },
            clients: clients, warming: 500_000_000, lasting: Int64(seconds * 1e9))
        let beginning = Beginning()
        let (outcomes, outcome) = AsyncStream<Result<Share, BenchmarkError>>.makeStream()
        let context = try Context.shared(
            seed: UInt32(truncatingIfNeeded: SystemRandom().next()))
        var settings = EventLoop<BareClients>.Settings(name: "bare-clients")
        settings.mailboxCapacity = 1
        settings.alertness = Alertness { YieldBackoff.shared.yield(at: $0) }
        let loop = try await EventLoop<BareClients>.start(settings) {
            (poller) throws(ZeroMQError) in
            try BareClients(
                plan, endpoint: endpoint, poller: poller, context: context,
                onBegin: { beginning.note(processes) },
                onEnd: { outcome.yield($0) })
        }
        var result = Result<Share, BenchmarkError>.failure(.usage("the clients ended too soon"))
        for await first in outcomes {
            result = first
            break
        }
        let spent = processes.times.since(beginning.times ?? processes.times)
        try await loop.stop()
        return Share.served([try result.get()], seconds: seconds, spent: spent)
    }
}
