import ArgumentParser
import FresnelClient
import FresnelS3
import FresnelSnapshot
import FresnelSystem

/// Which store a command uses.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store: a directory, or s3://BUCKET/PREFIX.", valueName: "place"),
        completion: .directory)
    var store: String

    /// Opens the store; nothing is asked of it yet.
    func open() throws(SnapshotError) -> any SnapshotStore {
        let isRelative = !store.hasPrefix("/") && !store.contains("://") && !store.isEmpty
        let text = isRelative ? FilePath.join(WorkingDirectory.path, store) : store
        return try SnapshotStores.open(text, environment: .system)
    }

    /// Opens a store that must be one.
    func openExisting() throws(SnapshotError) -> (any SnapshotStore, StorePlace) {
        let store = try open()
        guard let mark = try StoreMark.read(from: store) else {
            throw .notAStore(store.location.text)
        }
        return (store, StorePlace(location: store.location.text, identity: mark.identity))
    }
}
