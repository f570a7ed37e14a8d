import FresnelClient
import FresnelModel
import FresnelSystem
import TortureHistory

/// What the tasks of the load have in common.
struct Load: Sendable {
    /// How far the run is.
    enum Phase: Sendable {
        /// Write and ask.
        case busy
        /// Everything is written: followed answers end at this state, asked for since then.
        case quiet(target: UInt64, since: Int64)
    }

    /// The index that writers without a state share.
    static let sharedIndex = "shared"
    /// The index that importers share, with one client state.
    static let importIndex = "imports"
    /// Keys of one writer.
    static let keysOfWriter = 120
    /// Groups of one writer.
    static let groupsOfWriter = 6

    let endpoint: String
    let recorder: Recorder
    let seed: UInt64
    /// How many times longer its tasks rest between two requests.
    let restFactor: Double
    let phase = Watched(Phase.busy)
    /// Whether writers and readers shall end.
    let isOver = Watched(false)
    /// How often it was tried whether everything answers.
    private let probes = Watched(0)

    init(endpoint: String, recorder: Recorder, seed: UInt64, restFactor: Double) {
        self.endpoint = endpoint
        self.recorder = recorder
        self.seed = seed
        self.restFactor = restFactor
    }

    /// A generator for one task.
    func generator(of task: Int) -> SeededGenerator {
        SeededGenerator(seed: seed &* 1009 &+ UInt64(task))
    }

    /// Makes the indexes by a first document in each.
    func begin(_ client: SearchClient) async {
        for index in [Self.sharedIndex, Self.importIndex] {
            await writeAlone([9001], version: 9_001_000_000, to: index, client)
        }
    }

    /// Writes something into every shard of every index: when that is acknowledged, the replicas
    /// that are said to be in sync have answered.
    ///
    /// - Returns: whether all of it was acknowledged.
    func probe(_ client: SearchClient) async -> Bool {
        var version = 0
        probes.update {
            $0 += 100
            version = 9_100_000_000 + $0
        }
        var isWhole = true
        for index in [Self.sharedIndex, Self.importIndex] {
            let keys = Array(9100..<9132)
            isWhole = await writeAlone(keys, version: version, to: index, client) && isWhole
        }
        return isWhole
    }

    /// Writes and asks while `body` runs.
    func run(_ body: () async throws -> Void) async throws {
        try await connected { writing in
            try await connected { reading in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...3 {
                        group.addTask {
                            var writer = KeyWriter(number, self, writing)
                            await writer.run()
                        }
                    }
                    for number in 4...5 {
                        group.addTask {
                            var writer = StateWriter(number, self, writing)
                            await writer.run()
                        }
                    }
                    for number in 6...8 {
                        group.addTask {
                            var reader = Reader(number, self, reading)
                            await reader.run()
                        }
                    }
                    do {
                        try await body()
                    } catch {
                        group.cancelAll()
                        throw error
                    }
                    isOver.update { $0 = true }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Writes documents that belong to no writer, and records it.
    ///
    /// - Parameter version: that of the first; each has the next one.
    /// - Returns: whether they were acknowledged.
    @discardableResult
    func writeAlone(
        _ keys: [Int], version: Int, to name: String, _ client: SearchClient
    ) async -> Bool {
        var generator = generator(of: version)
        var event = WriteEvent(
            writer: "alone", index: name,
            operations: keys.enumerated().map { place, key in
                .index(key: key, version: version + place, group: "alone")
            },
            started: Recorder.now, ended: 0, outcome: .unknown(""))
        let documents = keys.enumerated().map { place, key in
            Catalogue.document(
                key: key, version: version + place, group: "alone", using: &generator)
        }
        do throws(SearchError) {
            let report = try await client.index(IndexName.torture(name)).index(documents)
            event.outcome = .acknowledged(refused: report.refusedCodes)
        } catch {
            event.outcome = .unknown("\(error)")
        }
        event.ended = Recorder.now
        recorder.record(.write(event))
        return event.outcome == .acknowledged(refused: [:])
    }

    /// Lends a connection to `body`; waits for a broker where there is none.
    func connected(_ body: (SearchClient) async throws -> Void) async throws {
        let client = try await connect()
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private func connect() async throws -> SearchClient {
        while true {
            if let client = try await connectOnce() { return client }
            try Task.checkCancellation()
        }
    }

    /// Nil when nobody answered in time.
    private func connectOnce() async throws(SearchError) -> SearchClient? {
        do {
            return try await SearchClient.connect(to: endpoint, allowsPlaintext: true)
        } catch {
            guard error.code == .indexUnreachable else { throw error }
            return nil
        }
    }

    /// The pace of the load: a pause of a random length.
    func rest(
        _ milliseconds: ClosedRange<Int>, using generator: inout some RandomNumberGenerator
    ) async {
        let pause = Double(Int.random(in: milliseconds, using: &generator)) * restFactor
        // Cancelled, the task looks whether it is over.
        try? await Task.sleep(for: .milliseconds(Int(pause)))
    }
}
