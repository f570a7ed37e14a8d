import ArgumentParser
import FresnelClient
import FresnelModel
import FresnelSnapshot
import FresnelSystem

/// `fresnel snapshot create`.
struct SnapshotCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Copy indexes to a store, as they are now.",
        discussion: """
            Everything that was acknowledged before is in the snapshot; batches of an index wait \
            for some milliseconds while its shards are captured. Whatever is interrupted leaves no \
            snapshot: run it again, what is in the store already is not sent again.

              fresnel snapshot create monday --store /mnt/backup
            """)

    @Argument(help: "The name of the new snapshot.")
    var name: String

    @OptionGroup var store: StoreOptions

    @Option(
        name: .customLong("index"),
        help: ArgumentHelp("Only this index; may be given several times.", valueName: "name"))
    var indexes: [String] = []

    @Flag(help: "Print one JSON object an index, and one for the snapshot.")
    var json = false

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let store = try store.open()
        let library = SnapshotLibrary(store)
        try library.requireFree(name)
        var names: [IndexName] = []
        for index in indexes { names.append(try IndexName(index)) }
        let wanted = names
        let output = SnapshotOutput(json: json)
        let manifest = try await connection.withClient { client in
            let there = try await client.status().indexes.map(\.name)
            let chosen = try wanted.isEmpty ? there.map { try IndexName($0) } : wanted
            guard !chosen.isEmpty else {
                throw CommandError.failed("the cluster has no index: there is nothing to copy")
            }
            let mark = try StoreMark.establish(in: store, chance: SystemRandom())
            let place = StorePlace(location: store.location.text, identity: mark.identity)
            var copies: [SnapshotIndex] = []
            for name in chosen where !copies.contains(where: { $0.name == name.text }) {
                let copy = try await client.copy(name, to: place)
                output.add(copy)
                copies.append(copy.index)
            }
            return SnapshotManifest(
                name: self.name, createdAt: Timestamp(wallClock: SystemTime().unixSeconds()),
                software: Fresnel.software, indexes: copies)
        }
        try library.commit(manifest)
        output.created(manifest, in: store.location)
    }
}
