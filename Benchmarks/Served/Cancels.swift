import ArgumentParser
import BenchmarkWorkload
import FresnelClient
import FresnelModel
import FresnelSystem
import Foundation

/// How long a cancel takes from the client to a worker that has nothing else to do, while others
/// keep the processors busy.
///
/// Two workers: `busy` holds the index that is asked without pause, `idle` the one whose hits wait
/// for credit. All processes share one machine, so their monotonic clocks are one.
struct Cancels: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times of cancels beside 1, 2 and 4 clients that ask without pause.")

    @Option(help: "The cluster.")
    var broker: String

    @Option(help: "What the idle worker writes down: a line for each cancel, with its time.")
    var receipts: String

    @Option(help: "How many cancels beside each load.")
    var count = 500

    @Option(help: "Clients that ask without pause, parted by commas; 0 is no load.")
    var loads = "0,1,2,4"

    @Option(help: "What they ask: some milliseconds of work.")
    var query = "** == \"w12* w3*\"cdwt"

    func run() async throws {
        let client = try await SearchClient.connect(to: broker, name: "cancels")
        let busy = try await Self.index(on: "busy", of: client, documents: 40_000)
        let idle = try await Self.index(on: "idle", of: client, documents: 200)
        print("µs of \(count) cancels, p50 / p99 / most")
        print("loops  to the idle worker      to DONE at the client   load, queries/s")
        for clients in loads.split(separator: ",").compactMap({ Int($0) }) {
            let load = try LoadProcess(
                [
                    "--broker", broker, "--index", "\(busy)", "--clients", "\(clients)",
                    "--query", query,
                ], isRunning: clients > 0)
            try await Task.sleep(for: .milliseconds(500))
            let sent = try await cancel(client, idle)
            let rate = try load.stop()
            let received = try Self.times(in: receipts)
            let reached = Timings(sent.compactMap { $0.delay(in: received) })
            let done = Timings(sent.map { $0.done - $0.sent })
            let row = "\(clients)".padding(toLength: 7, withPad: " ", startingAt: 0)
            print("\(row)\(reached)    \(done)    \(rate)")
            guard reached.count == count else {
                throw BenchmarkError.wrongAnswer("\(count - reached.count) cancels never arrived")
            }
        }
        await client.close()
    }

    /// One cancel, in nanoseconds of the monotonic clock.
    struct Sent {
        let sent: Int64
        let done: Int64
        /// When the next one was sent, or a second later.
        var next: Int64

        /// Nanoseconds until the worker heard of it; nil when it did not.
        func delay(in received: [Int64]) -> Int64? {
            received.first { $0 >= sent && $0 < next }.map { $0 - sent }
        }
    }

    /// Asks for all documents of an index, takes the first and cancels while the rest waits.
    private func cancel(_ client: SearchClient, _ index: IndexName) async throws -> [Sent] {
        let time = SystemTime()
        var sent: [Sent] = []
        for _ in 0..<count {
            var request = SearchRequest("title == \"*\"")
            request.indexes = [index]
            request.sort = [SortKey(.attribute("title"), isAscending: true)]
            request.credit = 1
            let query = client.search(request)
            var batches = query.batches.makeAsyncIterator()
            _ = try await batches.next()
            try await Task.sleep(for: .milliseconds(3))
            let before = time.monotonicNanoseconds()
            query.cancel()
            let completion = try await query.completion()
            let after = time.monotonicNanoseconds()
            guard completion.status == .cancelled else {
                throw BenchmarkError.wrongAnswer("a cancelled query ended \(completion.status)")
            }
            if !sent.isEmpty { sent[sent.count - 1].next = before }
            sent.append(Sent(sent: before, done: after, next: before + 1_000_000_000))
        }
        return sent
    }

    private static func times(in path: String) throws -> [Int64] {
        String(decoding: try TextLines.read(path), as: UTF8.self)
            .split(separator: "\n").compactMap { Int64($0) }
    }

    /// Fills a new index that lies on the worker of this name.
    private static func index(
        on worker: String, of client: SearchClient, documents: Int
    ) async throws -> IndexName {
        // Placement is by name, so some name lies there.
        for number in 0..<32 {
            let name = try IndexName("\(worker)\(number)")
            try await client.index(name).index([document(0)])
            let status = try await client.status()
            guard let made = status.indexes.first(where: { $0.name == name.text }) else { continue }
            guard made.shards.allSatisfy({ $0.worker.name == worker }) else { continue }
            try await client.index(name).index((0..<documents).lazy.map(document))
            return name
        }
        throw BenchmarkError.usage("no index was placed on worker \(worker)")
    }

    /// A document of forty words, the same for the same number.
    private static func document(_ number: Int) -> Document {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        let words = (0..<40).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return "w\((state >> 33) % 3000)x"
        }
        return Document(
            uniqueIdentifier: "d\(number)",
            attributes: [
                "title": .string("title \(number)"),
                "contentDescription": .string(words.joined(separator: " ")),
            ])
    }
}
