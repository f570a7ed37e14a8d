import FresnelKernels
import FresnelModel

// The names in the cluster state (Documentation/file-formats.md, "Cluster state").

extension IndexNames {
    func encode(into writer: inout ByteWriter) {
        writer.writeVarint(UInt64(aliases.count))
        for alias in aliases {
            writer.writeText(alias.name)
            writer.writeText(alias.index)
        }
        writer.write(lastEpoch.value)
        writer.writeVarint(UInt64(removed.count))
        for index in removed {
            writer.writeText(index.name)
            writer.write(index.identity.high)
            writer.write(index.identity.low)
            writer.writeVarint(UInt64(index.replicas.count))
            for replica in index.replicas {
                writer.write(replica.shard.number)
                writer.writeText(replica.worker.name)
                writer.write(replica.identity.value)
                writer.write(replica.epoch.value)
            }
        }
    }

    init(from reader: inout ByteReader) throws {
        let aliases = try (0..<(try reader.readCount(limit: Limits.aliases, bytesEach: 2))).map {
            _ in
            IndexAlias(
                name: try reader.readString(limit: Limits.indexNameBytes),
                index: try reader.readString(limit: Limits.indexNameBytes))
        }
        let lastEpoch = Epoch(try reader.readUInt32())
        let count = try reader.readCount(limit: Limits.removedIndexes, bytesEach: 21)
        let removed = try (0..<count).map { _ in
            let name = try reader.readString(limit: Limits.indexNameBytes)
            let identity = IndexIdentity(
                high: try reader.readUInt64(), low: try reader.readUInt64())
            let replicas = try reader.readCount(limit: Limits.removedReplicas, bytesEach: 17)
            return RemovedIndex(
                name: name, identity: identity,
                replicas: try (0..<replicas).map { _ in
                    RemovedReplica(
                        shard: ShardID(try reader.readUInt32()), worker: try reader.readWorker(),
                        identity: ReplicaIdentity(try reader.readUInt64()),
                        epoch: Epoch(try reader.readUInt32()))
                })
        }
        self.init(aliases: aliases, removed: removed, lastEpoch: lastEpoch)
    }
}
