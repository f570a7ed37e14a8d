import ArgumentParser
import FresnelSnapshot

/// `fresnel snapshot verify`.
struct SnapshotVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read every object of a snapshot and compare it with its name.",
        discussion: """
            No cluster is needed. Names each object that is missing, damaged or cannot be \
            read; exit code 1 when there is one.
            """)

    @Argument(help: "The name of the snapshot.")
    var name: String

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print one JSON object a broken object, and one with the totals.")
    var json = false

    func run() async throws {
        let library = SnapshotLibrary(try store.openExisting().0)
        let manifest = try library.manifest(of: name)
        let output = SnapshotOutput(json: json)
        let problems = try library.verify(manifest) { output.broken($0) }
        output.verified(manifest, brokenCount: problems.count)
        try CommandEnd.check(problems.isEmpty ? .complete : .failed)
    }
}
