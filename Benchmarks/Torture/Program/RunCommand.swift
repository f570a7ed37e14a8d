import ArgumentParser
import Foundation
import FresnelClient
import FresnelSystem
import TortureHistory

/// Runs a cluster, breaks it, and checks the history.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a cluster, break it, and check what it answered.")

    @Option(help: "The program fresnel.")
    var program: String

    @Option(help: "How long things are broken.")
    var minutes = 5.0

    @Option(help: "Where all choices come from; chosen if not given.")
    var seed: UInt64?

    @Option(help: "Copies of every shard.")
    var replicas = 2

    @Option(help: "Worker processes.")
    var workers = 3

    @Option(help: "Shards of each index.")
    var shards = 4

    @Option(help: "How many times longer the load rests; a program that is not optimized needs 4.")
    var restFactor = 1.0

    @Option(help: "The first of some ports on the loopback.")
    var port = 24_000

    @Option(help: "Where everything is kept; removed after a good run.")
    var directory: String

    @Flag(help: "The script has made namespaces for this run.")
    var namespaces = false

    @Flag(help: "Keep the directory after a good run, too.")
    var keep = false

    @Option(help: ArgumentHelp("Break a promise on purpose.", visibility: .hidden))
    var sabotage: Saboteur.Way?

    func validate() throws {
        guard (1...9).contains(workers), (1...3).contains(replicas), replicas <= workers,
            (1...64).contains(shards), minutes > 0, minutes <= 24 * 60
        else {
            throw ValidationError(
                "1 to 9 workers, 1 to 3 replicas but no more than workers, 1 to 64 shards")
        }
        guard (0.1...100).contains(restFactor) else {
            throw ValidationError("the load rests 0.1 to 100 times as long, not \(restFactor)")
        }
    }

    func run() async throws {
        let seed = seed ?? SystemRandom().next() % 1_000_000
        say("seed \(seed), \(replicas) replicas, \(workers) workers, \(shards) shards")
        let description = RunDescription(
            seed: seed, replicas: replicas, workers: workers, shards: shards)
        let stage = try await Stage(
            directory: directory, port: port, workers: workers, hasNamespaces: namespaces)
        for shortcoming in stage.shortcomings { say("without: \(shortcoming)") }
        let recorder = try Recorder("\(directory)/history.ndjson")
        recorder.record(.began(description))
        let cluster = try TortureCluster(
            stage, description, program: program, recorder: recorder)
        try await cluster.run {
            try await torment(cluster, recorder)
            await cluster.end()
        }
        try await RunEnding.verify(cluster, program, recorder)
        let history = recorder.history
        for line in RunSummary(of: history).lines { say(line) }
        let isGood = Verdict(history).tell()
        try await stage.dismount()
        if isGood, !keep {
            try FileManager.default.removeItem(atPath: directory)
        } else {
            say("kept: \(directory)/history.ndjson, \(directory)/logs; seed \(seed)")
        }
        guard isGood else { throw ExitCode(1) }
    }

    /// Load and faults, then quiet, and a last look at everything.
    private func torment(_ cluster: TortureCluster, _ recorder: Recorder) async throws {
        let load = Load(
            endpoint: cluster.stage.endpoint, recorder: recorder,
            seed: cluster.description.seed, restFactor: restFactor)
        try await load.connected { client in
            let saboteur = Saboteur(cluster: cluster, client: client, recorder: recorder)
            guard await cluster.healed(within: 60, client) != nil else {
                return recorder.trouble(.notHealed, "the cluster did not start")
            }
            await load.begin(client)
            try await withThrowingTaskGroup(of: Bool.self) { following in
                following.addTask {
                    try await load.connected { await Follower(load, $0).run() }
                    return true
                }
                try await load.run {
                    if sabotage == .olderDirectory { try await saboteur.keepDirectory() }
                    var schedule = FaultSchedule(cluster, load, client)
                    try await schedule.run(until: Recorder.now + Int64(minutes * 60e9))
                }
                if let sabotage { try await saboteur.break(by: sabotage) }
                if await cluster.healed(within: 60, client) == nil {
                    recorder.trouble(.notHealed, "not whole at the end")
                }
                let ending = RunEnding(load: load, client: client)
                await ending.readAll()
                await ending.settleFollowers()
                following.addTask {
                    // The bound of the wait for the followed answer.
                    try? await Task.sleep(for: .seconds(30))
                    return false
                }
                if try await following.next() != true {
                    recorder.trouble(.wrongChange, "a followed answer did not reach the last state")
                }
                following.cancelAll()
            }
        }
    }
}
