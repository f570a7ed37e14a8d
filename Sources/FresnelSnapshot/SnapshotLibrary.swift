import FresnelModel
import FresnelSystem

/// The snapshots in a store: what there is, whether it is whole, and what may go.
package struct SnapshotLibrary: Sendable {
    package static let prefix = "snapshots/"
    private let store: any SnapshotStore

    package init(_ store: any SnapshotStore) { self.store = store }

    /// The names of all snapshots.
    package func names() throws(SnapshotError) -> [String] {
        try store.list(Self.prefix).map { String($0.name.dropFirst(Self.prefix.count)) }
            .filter(IndexName.isValid)
    }

    /// Refuses a name that cannot be, or is taken.
    package func requireFree(_ name: String) throws(SnapshotError) {
        try Self.require(name)
        guard try store.size(of: Self.prefix + name) == nil else {
            throw .nameTaken(name, store: store.location.text)
        }
    }

    /// Reads a snapshot's manifest.
    package func manifest(of name: String) throws(SnapshotError) -> SnapshotManifest {
        try Self.require(name)
        let object = Self.prefix + name
        guard try store.size(of: object) != nil else {
            throw .unknownSnapshot(name, store: store.location.text, known: try names())
        }
        let bytes = try store.read(object, limit: SnapshotManifest.limitBytes)
        let manifest = try SnapshotManifest(
            decoding: bytes, object: object, store: store.location.text)
        guard manifest.name == name else {
            throw .damaged(
                object: object, store: store.location.text,
                reason: "it is the manifest of snapshot \(manifest.name)")
        }
        return manifest
    }

    /// Makes a snapshot of what was put: the last step, after which it is there.
    ///
    /// - Throws: `nameTaken`; `removedMeanwhile` when an object it names is gone, and then there
    ///   is no snapshot.
    package func commit(_ manifest: SnapshotManifest) throws(SnapshotError) {
        try requireFree(manifest.name)
        let object = Self.prefix + manifest.name
        guard try store.put(object, SharedBytes(manifest.encoded)) else {
            throw .nameTaken(manifest.name, store: store.location.text)
        }
        // Somebody may have pruned what this snapshot found there and did not send again.
        let lost = try absent(of: manifest)
        guard lost.isEmpty else {
            try store.remove(object)
            throw .removedMeanwhile(lost, store: store.location.text)
        }
    }

    /// Names of objects of a snapshot that are not there with their size.
    package func absent(of manifest: SnapshotManifest) throws(SnapshotError) -> [String] {
        let (missing, damaged) = try unsound(of: manifest)
        return missing + damaged
    }

    /// Names of objects of a snapshot that are not there, and of those with another size.
    package func unsound(
        of manifest: SnapshotManifest
    ) throws(SnapshotError) -> (missing: [String], damaged: [String]) {
        let there = try sizes()
        let missing = manifest.objects.filter { there[$0.name] == nil }
        let damaged = manifest.objects.filter { object in
            there[object.name].map { $0 != object.bytes } ?? false
        }
        return (missing.map(\.name), damaged.map(\.name))
    }

    /// The snapshot whose manifest an object is; nil of any other object.
    static func snapshotName(of object: String) -> String? {
        object.hasPrefix(prefix) ? String(object.dropFirst(prefix.count)) : nil
    }

    /// Reads every object of a snapshot and compares it with its name.
    ///
    /// One that cannot be read is as bad as one that is damaged, and the others are read all the
    /// same. Only a store that does not even show its own file any more ends it.
    ///
    /// - Parameter found: hears of every broken object at once.
    /// - Returns: what is wrong, an object each; empty for a snapshot that is whole.
    package func verify(
        _ manifest: SnapshotManifest, found: (SnapshotError) -> Void = { _ in }
    ) throws(SnapshotError) -> [SnapshotError] {
        var problems: [SnapshotError] = []
        for object in manifest.objects {
            guard let problem = try problem(of: object) else { continue }
            found(problem)
            problems.append(problem)
        }
        return problems
    }

    /// What is wrong with an object; nil when its contents are what its name says.
    private func problem(of object: StoredObject) throws(SnapshotError) -> SnapshotError? {
        do throws(SnapshotError) {
            try store.read(object) { (_) throws(SnapshotError) in }
            return nil
        } catch {
            switch error {
            case .missing, .damaged: return error
            default: break
            }
            // Where the store is gone, no other object can be read either.
            guard try store.size(of: StoreMark.objectName) != nil else {
                throw .notAStore(store.location.text)
            }
            return .unreadable(
                object: object.name, store: store.location.text, reason: error.description)
        }
    }

    /// Removes a snapshot; its files stay until `prune`.
    package func delete(_ name: String) throws(SnapshotError) {
        try Self.require(name)
        let object = Self.prefix + name
        guard try store.size(of: object) != nil else {
            throw .unknownSnapshot(name, store: store.location.text, known: try names())
        }
        try store.remove(object)
    }

    /// Removes every object that no snapshot names; not while a snapshot is made.
    ///
    /// A manifest that cannot be read keeps everything: what it names is not known.
    /// - Returns: what was removed.
    package func prune() throws(SnapshotError) -> [ListedObject] {
        let candidates = try objects()
        var used: Set<String> = []
        for name in try names() {
            used.formUnion(try manifest(of: name).objects.map(\.name))
        }
        let removed = candidates.filter { !used.contains($0.name) }
        for object in removed { try store.remove(object.name) }
        return removed
    }

    private func objects() throws(SnapshotError) -> [ListedObject] {
        try store.list(StoredObject.segments) + store.list(StoredObject.manifests)
    }

    private func sizes() throws(SnapshotError) -> [String: UInt64] {
        Dictionary(try objects().map { ($0.name, $0.bytes) }) { first, _ in first }
    }

    private static func require(_ name: String) throws(SnapshotError) {
        guard IndexName.isValid(name) else { throw .invalidName(name) }
    }
}
