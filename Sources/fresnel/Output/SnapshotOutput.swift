import FresnelClient
import FresnelJSON
import FresnelLoad
import FresnelModel
import FresnelSnapshot

/// What `fresnel snapshot` prints.
struct SnapshotOutput: Sendable {
    let json: Bool

    /// An index is in the store.
    func add(_ copy: IndexCopy) {
        let index = copy.index
        guard json else {
            return Streams.say(
                "\(index.name): \(index.documents) documents in "
                    + "\(Figure.count(index.shards.count, "shard")), "
                    + "\(copy.bytesSent) bytes sent, \(copy.bytesReused) reused"
                    + (copy.replaced == 0
                        ? ""
                        : ", \(copy.replaced) objects were damaged in the store and are whole "
                            + "again: look at its disk"))
        }
        let object: JSONValue = [
            "index": [
                "name": .string(index.name),
                "documents": .integer(Int64(clamping: index.documents)),
                "shards": .integer(Int64(index.shards.count)),
                "sequence": .integer(Int64(clamping: index.sequence.value)),
                "bytesSent": .integer(Int64(clamping: copy.bytesSent)),
                "bytesReused": .integer(Int64(clamping: copy.bytesReused)),
                "replaced": .integer(Int64(copy.replaced)),
            ]
        ]
        Streams.say(object)
    }

    /// The snapshot is there.
    func created(_ manifest: SnapshotManifest, in location: StoreLocation) {
        guard json else {
            return Streams.say(
                "snapshot \(manifest.name) is in \(location): "
                    + Figure.count(manifest.indexes.count, "index", plural: "indexes")
                    + ", \(manifest.documents) documents, \(manifest.bytes) bytes")
        }
        Streams.say(object(manifest, shared: nil))
    }

    /// An index is there again.
    func restored(_ source: SnapshotIndex, as name: IndexName) {
        guard json else {
            return Streams.say(
                "index \(name): \(source.documents) documents in "
                    + "\(Figure.count(source.shards.count, "shard")) restored; "
                    + (source.replication == 1
                        ? "one copy of each, as --replicas says or the snapshot"
                        : "\(source.replication) copies of each: one is here, the others are made "
                            + "from it now, as far as there are workers (`fresnel status`)"))
        }
        let object: JSONValue = [
            "restored": [
                "index": .string(name.text), "source": .string(source.name),
                "documents": .integer(Int64(clamping: source.documents)),
                "shards": .integer(Int64(source.shards.count)),
                "replicas": .integer(Int64(source.replication)),
            ]
        ]
        Streams.say(object)
    }

    /// The snapshots of a store.
    func list(_ manifests: [SnapshotManifest]) {
        var uses: [StoredObject: Int] = [:]
        for object in manifests.flatMap(\.objects) { uses[object, default: 0] += 1 }
        for manifest in manifests.sorted(by: { $0.createdAt < $1.createdAt }) {
            let shared = manifest.objects.filter { uses[$0] ?? 0 > 1 }
                .reduce(0) { $0 &+ $1.bytes }
            guard json else {
                let names = manifest.indexes.map(\.name).joined(separator: ", ")
                Streams.say(
                    "\(manifest.name)  \(manifest.createdAt)  \(manifest.documents) documents, "
                        + "\(manifest.bytes) bytes (\(shared) shared)  \(names)")
                continue
            }
            Streams.say(object(manifest, shared: shared))
        }
        if manifests.isEmpty, !json { Streams.say("no snapshots") }
    }

    /// An object is missing, damaged or cannot be read.
    func broken(_ problem: SnapshotError) {
        guard json else { return Streams.say("BROKEN  \(problem)") }
        let object: JSONValue = ["broken": .string("\(problem)")]
        Streams.say(object)
    }

    /// Every object was read, as far as it can be.
    func verified(_ manifest: SnapshotManifest, brokenCount: Int) {
        let count = manifest.objects.count
        guard json else {
            return Streams.say(
                "\(count) objects with \(manifest.bytes) bytes, \(brokenCount) broken"
                    + (brokenCount == 0 ? "; the snapshot is sound" : ""))
        }
        let object: JSONValue = [
            "totals": [
                "sound": .bool(brokenCount == 0), "objects": .integer(Int64(count)),
                "bytes": .integer(Int64(clamping: manifest.bytes)),
                "broken": .integer(Int64(brokenCount)),
            ]
        ]
        Streams.say(object)
    }

    private func object(_ manifest: SnapshotManifest, shared: UInt64?) -> JSONValue {
        [
            "snapshot": [
                "name": .string(manifest.name),
                "createdAt": .string("\(manifest.createdAt)"),
                "software": .string(manifest.software),
                "documents": .integer(Int64(clamping: manifest.documents)),
                "bytes": .integer(Int64(clamping: manifest.bytes)),
                "sharedBytes": shared.map { .integer(Int64(clamping: $0)) } ?? .null,
                "indexes": .array(
                    manifest.indexes.map { index in
                        [
                            "name": .string(index.name),
                            "documents": .integer(Int64(clamping: index.documents)),
                            "sequence": .integer(Int64(clamping: index.sequence.value)),
                            "shards": .array(
                                index.shards.map { shard in
                                    [
                                        "shard": .integer(Int64(shard.shard.number)),
                                        "sequence": .integer(
                                            Int64(clamping: shard.sequence.value)),
                                        "documents": .integer(Int64(clamping: shard.documents)),
                                        "digest": .string("\(shard.digest)"),
                                        "files": .integer(Int64(shard.segments.count + 1)),
                                    ]
                                }),
                        ]
                    }),
            ]
        ]
    }
}
