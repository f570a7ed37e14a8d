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
        let (missing, damaged) = try library.unsound(of: manifest)
        let names = "`fresnel snapshot verify \(name)` names all"
        if let first = missing.first {
            throw CommandError.failed(
                "\(missing.count) objects of snapshot \(name) are not in \(store.location), the "
                    + "first: \(first); \(names)")
        }
        if let first = damaged.first {
            throw CommandError.failed(
                "\(damaged.count) objects of snapshot \(name) are damaged in \(store.location): "
                    + "they have another size, the first: \(first); \(names)")
        }
        let output = SnapshotOutput(json: json)
        try await connection.withClient { client in
            try refuseTaken(of: chosen, there: try await there(client))
            for (name, source) in chosen {
                var source = source
                source.replication = replicas ?? max(1, source.replication)
                do throws(SearchError) {
                    try await client.make(name, from: source, in: place)
                } catch {
                    throw await completed(error, at: name, of: chosen.map(\.name), client)
                }
                output.restored(source, as: name)
            }
        }
    }

    /// The indexes of the cluster.
    private func there(_ client: SearchClient) async throws -> Set<String> {
        Set(try await client.status().indexes.map(\.name))
    }

    /// Refuses to replace an index, and says how to restore only what is not there.
    private func refuseTaken(
        of chosen: [(name: IndexName, source: SnapshotIndex)], there: Set<String>
    ) throws(CommandError) {
        let taken = chosen.map(\.name).filter { there.contains($0.text) }
        guard let first = taken.first else { return }
        let absent = chosen.map(\.name).filter { !there.contains($0.text) }
        let what =
            taken.count == 1
            ? "there is an index \(first) already"
            : "there are indexes \(list(taken)) already"
        let rest = absent.isEmpty ? "" : "\(restoring(absent)) restores what is not there; "
        throw .failed(
            "\(what), nothing was restored; \(rest)restore with --index and --as under another "
                + "name, or into another cluster")
    }

    /// An error at one of several indexes, with those that are not restored and the way on.
    private func completed(
        _ error: SearchError, at name: IndexName, of chosen: [IndexName], _ client: SearchClient
    ) async -> SearchError {
        // A broker that does not say what is there is away: then the order tells.
        let there = try? await there(client)
        let isUnsure = there == nil || error.code == .indexUnreachable
        var hints: [String] = []
        if isUnsure {
            hints.append(
                "`fresnel status` says whether index \(name) was made before; if it was not, "
                    + (chosen.count == 1 ? "run this again" : "restore it too"))
        }
        let rest = chosen.drop { $0 != name }.filter {
            $0 == name ? !isUnsure && there?.contains($0.text) == false : true
        }
        if chosen.count > 1, !rest.isEmpty {
            let are = rest.count == 1 ? "index \(list(rest)) is" : "indexes \(list(rest)) are"
            hints.append("\(are) not restored: \(restoring(rest)) goes on there")
        }
        return hints.isEmpty ? error : error.hinting(hints.joined(separator: "; "))
    }

    private func list(_ names: [IndexName]) -> String {
        names.map(\.text).joined(separator: ", ")
    }

    /// The command that restores only these.
    private func restoring(_ names: [IndexName]) -> String {
        let choice = names.map { " --index \($0)" }.joined()
        let copies = replicas.map { " --replicas \($0)" } ?? ""
        return "`fresnel snapshot restore \(name) --store \(store.store)\(choice)\(copies)`"
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
