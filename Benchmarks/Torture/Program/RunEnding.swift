import FresnelClient
import FresnelJSON
import FresnelModel
import TortureHistory

/// What is looked at when the faults are over.
struct RunEnding {
    let load: Load
    let client: SearchClient

    /// Asks for everything, several times, so that every replica is likely to answer.
    func readAll() async {
        for _ in 0..<6 {
            for index in [Load.sharedIndex, Load.importIndex] {
                await Reader.ask(.all, of: index, client, load.recorder)
            }
        }
        _ = await StateWriter.look(
            at: client.index(IndexName.torture(Load.importIndex)), load.recorder)
    }

    /// Makes a last change and lets followed answers end at it.
    func settleFollowers() async {
        await load.writeAlone([9002], version: 9_002_000_000, to: Load.sharedIndex, client)
        let since = Recorder.now
        // Without a status the followed answer does not end, which is told.
        guard let status = try? await client.status() else { return }
        let index = status.indexes.first { $0.name == Load.sharedIndex }
        load.phase.update { $0 = .quiet(target: index?.committed.value ?? 0, since: since) }
    }

    /// Proves the data directories, and records what they contain.
    static func verify(
        _ cluster: TortureCluster, _ program: String, _ recorder: Recorder
    ) async throws {
        for worker in 1...cluster.description.workers {
            let directory = cluster.stage.workerDirectory(worker)
            let result = try await Shell.output([program, "verify", "--data", directory, "--json"])
            for line in result.output.split(separator: "\n") {
                let object = try JSONValue(parsing: String(line))
                guard let replica = object["replica"] else { continue }
                recorder.record(.replica(event(of: replica, "worker-\(worker)")))
            }
            guard !result.isSuccess else { continue }
            let text = result.output.split(separator: "\n").last.map(String.init) ?? ""
            recorder.trouble(
                .damagedReplica, "verify of \(directory): \(result.errors) \(text)")
        }
    }

    private static func event(of replica: JSONValue, _ worker: String) -> ReplicaEvent {
        ReplicaEvent(
            worker: worker, index: replica["index"]?.string ?? "",
            shard: Int(replica["shard"]?.integer ?? -1),
            digest: replica["digest"]?.string ?? "",
            isSound: replica["sound"]?.bool ?? false,
            problems: replica["problems"]?.array?.compactMap(\.string) ?? [])
    }
}
