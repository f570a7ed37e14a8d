import ArgumentParser
import FresnelClient
import FresnelModel
import Glibc
import TortureHistory

/// Breaks a promise behind the back of the history: a checker that finds nothing then is worthless.
struct Saboteur: Sendable {
    /// How.
    enum Way: String, ExpressibleByArgument, CaseIterable {
        /// A worker's directory becomes what it was at the beginning.
        case olderDirectory
        /// A document is deleted.
        case unrecordedDelete
        /// A document is written.
        case unrecordedDocument
    }

    /// Whose directory is exchanged; the first one's may be a mounted disk.
    private static let worker = 2

    let cluster: TortureCluster
    let client: SearchClient
    let recorder: Recorder

    private var directory: String { cluster.stage.workerDirectory(Self.worker) }

    /// Keeps a copy of a worker's directory as it is at the beginning.
    func keepDirectory() async throws {
        try await withWorkerAway(by: SIGTERM) {
            try await Shell.run("cp", "-a", directory, directory + ".older")
        }
    }

    /// Does something while the worker is away, which is no secret.
    private func withWorkerAway(by number: Int32, _ body: () async throws -> Void) async throws {
        let started = Recorder.now
        await cluster.role(Self.worker).end(by: number)
        try await body()
        let ended = Recorder.now
        cluster.role(Self.worker).start()
        let healed = await cluster.healed(within: 60, client)
        recorder.record(
            .fault(
                FaultEvent(
                    .workerKill, target: Self.worker, started: started, ended: ended,
                    healed: healed)))
    }

    /// Does it.
    func `break`(by way: Way) async throws {
        say("sabotage: \(way.rawValue)")
        let index = client.index(IndexName.torture(Load.sharedIndex))
        switch way {
        case .olderDirectory:
            // With several replicas none is right any more.
            try await withWorkerAway(by: SIGKILL) {
                try await Shell.run("rm", "-rf", directory)
                try await Shell.run("mv", directory + ".older", directory)
            }
        case .unrecordedDelete:
            try await index.delete(identifiers: [Catalogue.identifier(9001)])
        case .unrecordedDocument:
            try await index.index([
                Document(
                    uniqueIdentifier: Catalogue.identifier(9999),
                    attributes: ["title": .string("torture nobody")])
            ])
        }
    }
}
