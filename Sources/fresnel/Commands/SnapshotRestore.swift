import ArgumentParser
import FresnelClient
import FresnelModel
import FresnelSnapshot

/// `fresnel snapshot restore`.
struct SnapshotRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make indexes from a snapshot, over the workers that are here.",
        discussion: """
            The index has as many copies of each shard as the one that was copied, or --replicas; \
            one of each is made from the store, the others from that one afterwards, as far as \
            there are workers. The cluster may have another number of workers than the one that \
            was copied. An index is there when every shard of it is; one that exists is never \
            replaced: give --as, or restore into another cluster. Workers compare every file with \
            its name and every shard's contents with the digest in the snapshot.

              fresnel snapshot restore monday --store /mnt/backup --index default --as monday
            """)

    @Argument(help: "The name of the snapshot.")
    var name: String

    @OptionGroup var store: StoreOptions

    @Option(
        name: .customLong("index"),
        help: ArgumentHelp("Only this index; may be given several times.", valueName: "name"))
    var indexes: [String] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Make the one index under this name.", valueName: "name"))
    var newName: String?

    @Option(
        help: ArgumentHelp(
            "Copies of each shard, 1 to 3 (default: as in the snapshot).", valueName: "n"))
    var replicas: UInt32?

    @Flag(help: "Print one JSON object an index.")
    var json = false

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        guard let replicas, !(1...UInt32(Limits.replicasPerShard)).contains(replicas) else {
            return
        }
        throw ValidationError("--replicas is from 1 to \(Limits.replicasPerShard)")
    }

    func run() async throws {
        let (store, place) = try store.openExisting()
        let library = SnapshotLibrary(store)
        let manifest = try library.manifest(of: name)
        let chosen = try chosen(of: manifest)
        let absent = try library.absent(of: manifest)
        if let first = absent.first {
            throw CommandError.failed(
                "\(absent.count) objects of snapshot \(name) are not in \(store.location), the "
                    + "first: \(first); `fresnel snapshot verify \(name)` names all")
        }
        let output = SnapshotOutput(json: json)
        try await connection.withClient { client in
            let there = Set(try await client.status().indexes.map(\.name))
            if let taken = chosen.first(where: { there.contains($0.name.text) }) {
                throw CommandError.failed(
                    "there is an index \(taken.name) already, nothing was restored; restore with "
                        + "--index and --as under another name, or into another cluster")
            }
            for (name, source) in chosen {
                var source = source
                source.replication = replicas ?? max(1, source.replication)
                do throws(SearchError) {
                    try await client.make(name, from: source, in: place)
                } catch {
                    guard error.code == .indexUnreachable else { throw error }
                    throw error.hinting(
                        "`fresnel status` says whether index \(name) was made before; if it was "
                            + "not, run this again")
                }
                output.restored(source, as: name)
            }
        }
    }

    private func chosen(
        of manifest: SnapshotManifest
    ) throws -> [(name: IndexName, source: SnapshotIndex)] {
        var sources = manifest.indexes
        if !indexes.isEmpty {
            sources = try indexes.map { index in
                guard let source = manifest[index: index] else {
                    let known = manifest.indexes.map(\.name).joined(separator: ", ")
                    throw CommandError.failed(
                        "snapshot \(name) has no index \(index); it has \(known)")
                }
                return source
            }
        }
        guard let newName else { return try sources.map { (try IndexName($0.name), $0) } }
        guard sources.count == 1 else {
            throw CommandError.usage(
                "--as is for one index, the snapshot has \(sources.count); give --index")
        }
        return [(try IndexName(newName), sources[0])]
    }
}
