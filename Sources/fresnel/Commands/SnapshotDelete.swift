import ArgumentParser
import FresnelSnapshot

/// `fresnel snapshot delete`.
struct SnapshotDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Remove a snapshot; `prune` removes the files that no snapshot names then.")

    @Argument(help: "The name of the snapshot.")
    var name: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try SnapshotLibrary(try store.openExisting().0).delete(name)
        Streams.say("snapshot \(name) is deleted; its files go with `fresnel snapshot prune`")
    }
}

/// `fresnel snapshot prune`.
struct SnapshotPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove the files of a store that no snapshot names.",
        discussion: """
            Not while a snapshot is made: what it sends is not named before its end. One that \
            loses a file that way notices, fails, and can be made again.
            """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openExisting().0
        let removed = try SnapshotLibrary(store).prune()
        if let directory = store as? DirectoryStore { try directory.sweep() }
        let bytes = removed.reduce(0) { $0 + $1.bytes }
        Streams.say("\(removed.count) files with \(bytes) bytes removed")
    }
}
