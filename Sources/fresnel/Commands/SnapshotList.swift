import ArgumentParser
import FresnelSnapshot

/// `fresnel snapshot list`.
struct SnapshotList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the snapshots in a store.",
        discussion: """
            "shared" are the bytes that another snapshot names as well. Exit code 1 when a \
            snapshot cannot be read; the others are shown.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print one JSON object a snapshot.")
    var json = false

    func run() async throws {
        let library = SnapshotLibrary(try store.openExisting().0)
        var manifests: [SnapshotManifest] = []
        var status = ExitStatus.complete
        for name in try library.names() {
            do {
                manifests.append(try library.manifest(of: name))
            } catch {
                Streams.complain(of: error)
                status = .failed
            }
        }
        SnapshotOutput(json: json).list(manifests)
        try CommandEnd.check(status)
    }
}
