import ArgumentParser
import FresnelClient
import FresnelModel
import FresnelSystem

// Three things, over sockets, against a cluster that runs: how long queries take while nobody
// writes; how soon a batch can be searched while they run; and what they take while documents come
// in as fast as the cluster lets them. An acknowledged batch can be searched: that is what its
// acknowledgement says. The queries come from a process of their own, as those of somebody else.

/// Measures how writes and queries bear with each other.
@main
struct IngestBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fresnel-bench-ingest",
        abstract: "Times of batches and of queries, alone and beside each other.",
        subcommands: [Measure.self, Ask.self], defaultSubcommand: Measure.self)
}

/// The three measurements.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times of batches and of queries, alone and beside each other.")

    @Option(help: "The broker; else FRESNEL_BROKER or the standard endpoint.")
    var broker: String?

    @Option(help: "The index that is written and searched.")
    var index = "bench"

    @Option(help: "The documents: NDJSON, unpacked.")
    var documents: String

    @Option(help: "A file of queries, one a line, asked in turn for their ten best hits.")
    var queries: String

    @Option(help: "Documents of a batch.")
    var batch = 1000

    @Option(help: "Batches of the second measurement.")
    var batches = 100

    @Option(help: "Milliseconds between two of those batches.")
    var rest = 50

    @Option(help: "Batches under way at once in the third.")
    var writers = 4

    @Option(help: "Seconds of the first measurement, and least of the third.")
    var seconds = 5.0

    @Option(help: "Queries planned a second; without it the next one follows the answer.")
    var rate: Double?

    func run() async throws {
        let feed = try DocumentFeed(path: documents, batch: batch)
        try await withSearchClient(to: broker) { client in
            // Something to be found, and all code warm.
            for _ in 0..<8 {
                if let some = try await feed.next() {
                    _ = try await client.index(named: index).index(some)
                }
            }
            let alone = try QueryProcess(arguments)
            try await Task.sleep(for: .seconds(seconds))
            print("queries alone: \(try alone.stop())")
            let paced = try QueryProcess(arguments)
            try await paceBatches(client, feed)
            print("queries beside these: \(try paced.stop())")
            let full = try QueryProcess(arguments)
            try await fillUp(client, feed)
            print("queries beside these: \(try full.stop())")
        }
    }

    /// Of the process that asks.
    private var arguments: [String] {
        ["--index", index, "--queries", queries]
            + (broker.map { ["--broker", $0] } ?? []) + (rate.map { ["--rate", "\($0)"] } ?? [])
    }

    /// One batch after the other, with a rest between.
    private func paceBatches(_ client: SearchClient, _ feed: DocumentFeed) async throws {
        var times = Latencies()
        for _ in 0..<batches {
            guard let documents = try await feed.next() else { break }
            try await times.measure {
                _ = try await client.index(named: index).index(documents)
            }
            try await Task.sleep(for: .milliseconds(rest))
        }
        print("batches of \(batch), from sending to searchable: \(times.description)")
    }

    /// As many batches as the cluster takes.
    private func fillUp(_ client: SearchClient, _ feed: DocumentFeed) async throws {
        let started = SystemTime().monotonicNanoseconds()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<writers {
                group.addTask { [index, seconds] in
                    let target = try client.index(named: index)
                    var count = 0
                    while Latencies.seconds(since: started) < 4 * seconds,
                        let documents = try await feed.next()
                    {
                        _ = try await target.index(documents)
                        count += documents.count
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        let took = Latencies.seconds(since: started)
        print("full rate: \(Int(Double(counts) / took)) documents a second, \(counts) documents")
    }
}
