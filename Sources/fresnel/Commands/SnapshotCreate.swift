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

            A place becomes a store by --new-store, once; without it a place that is none is \
            refused, since it may be a volume that is not mounted. Objects that are in the store \
            already are read and compared with their names, and replaced where they are damaged: \
            in a directory always, in a bucket, which compares by itself, with --compare-reused.

              fresnel snapshot create monday --store /mnt/backup --new-store
              fresnel snapshot create tuesday --store /mnt/backup
            """)

    @Argument(help: "The name of the new snapshot.")
    var name: String

    @OptionGroup var store: StoreOptions

    @Option(
        name: .customLong("index"),
        help: ArgumentHelp("Only this index; may be given several times.", valueName: "name"))
    var indexes: [String] = []

    @Flag(help: "Make the place a store; for its first snapshot.")
    var newStore = false

    @Flag(
        inversion: .prefixedNo,
        help: "Read what is in the store already and compare it (default: in a directory).")
    var compareReused: Bool?

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
            let place = try place(in: store)
            var copies: [SnapshotIndex] = []
            for name in chosen where !copies.contains(where: { $0.name == name.text }) {
                let copy = try await client.copy(
                    name, to: place, comparingReused: isComparing(in: store.location))
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

    /// The store as it is, or made new where that was said.
    private func place(in store: some SnapshotStore) throws(SnapshotError) -> StorePlace {
        let found = try StoreMark.read(from: store)
        guard newStore || found != nil else { throw .notAStore(store.location.text) }
        if newStore, found != nil {
            // Of a try that was interrupted there is none yet.
            let count = try SnapshotLibrary(store).names().count
            guard count == 0 else { throw .storeInUse(store.location.text, snapshots: count) }
        }
        let mark = try StoreMark.establish(in: store, chance: SystemRandom())
        return StorePlace(location: store.location.text, identity: mark.identity)
    }

    private func isComparing(in location: StoreLocation) -> Bool {
        if let compareReused { return compareReused }
        return if case .directory = location.kind { true } else { false }
    }
}
