import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelSystem

// Over sockets, against a cluster that runs and keeps no answers: what queries take while nobody
// writes, while a batch comes now and then, and while documents come in as fast as the cluster
// takes them. A part of the documents is there before, so that the queries of all measurements look
// at much the same; they are asked alone once more at the end, when all documents are there. An
// acknowledged batch can be searched: that is what its acknowledgement says. The queries come from
// a process of their own, as those of somebody else.

/// Measures how writes and queries bear with each other.
@main
struct IngestBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fresnel-bench-ingest",
        abstract: "Times of batches and of queries, alone and beside each other.",
        subcommands: [Measure.self, Tell.self, Ask.self])
}

/// The table.
struct Tell: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads rounds, a line each, and tells the times of all of them together.")

    func run() throws {
        var rounds: [Round] = []
        while let line = readLine() {
            guard let round = Round(try JSONValue(parsing: Array(line.utf8))) else {
                throw ValidationError("line \(rounds.count + 1) is no round of this program")
            }
            rounds.append(round)
        }
        guard !rounds.isEmpty else { throw ValidationError("there is no round to tell of") }
        print(Rounds(rounds: rounds))
    }
}

/// The measurements.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures one round, and tells its times as a line of JSON.")

    @Option(help: "The broker; else FRESNEL_BROKER or the standard endpoint.")
    var broker: String?

    @Option(help: "The index that is written and searched.")
    var index = "bench"

    @Option(help: "The documents: NDJSON, unpacked.")
    var documents: String

    @Option(help: "The queries: one JSON object a line with class, cs, limit and expect.")
    var workload: String

    @Option(help: "Only these classes, parted by commas; all hits of a word take what they take.")
    var classes = "Q1,Q2,Q3,Q4,Q5,Q6,Q7,Q8,Q9,Q10,Q12"

    @Option(help: "Documents of a batch.")
    var batch = 1000

    @Option(help: "Batches that are there before anything is measured.")
    var loaded = 40

    @Option(help: "Batches that come one by one.")
    var batches = 100

    @Option(help: "Milliseconds between two of those batches.")
    var rest = 50

    @Option(help: "Batches under way at once at full rate.")
    var writers = 4

    @Option(help: "Seconds that queries are asked alone, and a quarter of those at full rate.")
    var seconds = 5.0

    @Option(help: "Seconds in which a replica comes to rest and is merged.")
    var calm = 15.0

    @Option(help: "Queries planned a second; without it the next one follows the answer.")
    var rate: Double?

    func run() async throws {
        let feed = try DocumentFeed(path: documents, batch: batch)
        try await withSearchClient(to: broker) { client in
            var round = Round()
            round.loadedRate = try await write(client, feed, .batches(loaded))
            round.measurements.append(("alone", try await alone()))
            let paced = try QueryProcess(arguments)
            round.batches = try await paceBatches(client, feed)
            round.measurements.append(("batches", try paced.stop()))
            let full = try QueryProcess(arguments)
            round.fullRate = try await write(client, feed, .seconds(4 * seconds))
            round.measurements.append(("full rate", try full.stop()))
            round.measurements.append(("alone again", try await alone()))
            print(round.json.serialized())
        }
    }

    /// Of the process that asks.
    private var arguments: [String] {
        ["--index", index, "--workload", workload, "--classes", classes]
            + (broker.map { ["--broker", $0] } ?? []) + (rate.map { ["--rate", "\($0)"] } ?? [])
    }

    /// Queries of an index that nobody writes to.
    private func alone() async throws -> [String: Answers] {
        try await Task.sleep(for: .seconds(calm))
        let alone = try QueryProcess(arguments)
        try await Task.sleep(for: .seconds(seconds))
        return try alone.stop()
    }

    /// One batch after the other, with a rest between.
    private func paceBatches(
        _ client: SearchClient, _ feed: DocumentFeed
    ) async throws -> Latencies {
        var times = Latencies()
        for _ in 0..<batches {
            guard let documents = try await feed.next() else { break }
            try await times.measure {
                _ = try await client.index(named: index).index(documents)
            }
            try await Task.sleep(for: .milliseconds(rest))
        }
        return times
    }

    /// How long is written.
    private enum Extent {
        case batches(Int)
        case seconds(Double)
    }

    /// As many batches as the cluster takes.
    ///
    /// - Returns: documents a second.
    private func write(
        _ client: SearchClient, _ feed: DocumentFeed, _ extent: Extent
    ) async throws -> Double {
        let started = SystemTime().monotonicNanoseconds()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<writers {
                group.addTask { [index, writers] in
                    let target = try client.index(named: index)
                    var (count, batches) = (0, 0)
                    while true {
                        switch extent {
                        case .batches(let most) where batches * writers + writer >= most:
                            return count
                        case .seconds(let most) where Latencies.seconds(since: started) >= most:
                            return count
                        case .batches, .seconds: break
                        }
                        guard let documents = try await feed.next() else { return count }
                        _ = try await target.index(documents)
                        (count, batches) = (count + documents.count, batches + 1)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(counts) / Latencies.seconds(since: started)
    }
}
