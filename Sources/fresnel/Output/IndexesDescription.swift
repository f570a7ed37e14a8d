import FresnelClient
import FresnelJSON
import FresnelModel

/// The indexes of a cluster for people and programs.
enum IndexesDescription {
    /// A table, and a line for each removed index of which something is left.
    static func lines(_ status: ClusterStatus) -> [String] {
        var others = status.removed.map(text)
        if !status.unknownReplicas.isEmpty {
            let count = ValueText.count(status.unknownReplicas.count, "replica")
            others.append("  \(count) that this broker does not know: `fresnel status` names them")
        }
        // Only the broker's frame of 256 KiB is too small for it.
        let leftOut = status.counters["leftOutShards", default: 0]
        if leftOut > 0 {
            others.append(
                "  \(ValueText.count(leftOut, "shard")) did not fit into the list: documents and "
                    + "sizes are too low")
        }
        guard !status.indexes.isEmpty else {
            let hint = "no index yet; the first import makes one, or `fresnel indexes create`"
            return (status.unknownReplicas.isEmpty ? [hint] : ["no index that is known"]) + others
        }
        var table = Table([
            .init(title: "index"), .init(title: "documents", isNumber: true),
            .init(title: "shards", isNumber: true), .init(title: "replicas", isNumber: true),
            .init(title: "expires"), .init(title: "size", isNumber: true),
            .init(title: "aliases"),
        ])
        return table.lines(
            status.indexes.map { index in
                [
                    index.name, "\(index.documents)", "\(index.shards.count)",
                    "\(index.replication)", ExpirationText.text(index.expiration),
                    size(index.storedBytes), index.aliases.joined(separator: ", "),
                ]
            }) + others
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\(bytes >> 20) MiB"
    }

    private static func text(_ index: ClusterStatus.RemovedIndex) -> String {
        let workers = index.workers.map(\.name).joined(separator: ", ")
        return "  removed index \(index.name): "
            + "\(ValueText.count(index.replicas, "replica")) still to be removed by \(workers)"
            + (index.message.isEmpty ? "" : " (\(index.message))")
    }

    /// Everything that is known of them.
    static func json(_ status: ClusterStatus) -> JSONValue {
        [
            "indexes": .array(status.indexes.map(json)),
            "removed": .array(status.removed.map(json)),
        ]
    }

    static func json(_ index: ClusterStatus.Index) -> JSONValue {
        [
            "name": .string(index.name),
            "documents": .integer(Int64(clamping: index.documents)),
            "shards": .integer(Int64(index.shards.count)),
            "replicas": .integer(Int64(index.replication)),
            "expirationSeconds": .number(index.expiration.seconds),
            "bytes": .integer(Int64(clamping: index.storedBytes)),
            "aliases": .array(index.aliases.map { .string($0) }),
        ]
    }

    private static func json(_ index: ClusterStatus.RemovedIndex) -> JSONValue {
        [
            "name": .string(index.name), "replicas": .integer(Int64(index.replicas)),
            "workers": .array(index.workers.map { .string($0.name) }),
            "message": .string(index.message),
        ]
    }
}
