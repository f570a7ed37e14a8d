import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging

// What lies in the directory and the broker did not name: it may be what the broker has forgotten.

extension IngestHandler {
    /// Tells the broker of all replicas here that an ASSIGN does not name.
    func survey(besides assignments: [WireIndexAssignment]) {
        let named = Set(
            assignments.flatMap { index in
                index.shards.map { ShardKey(index: index.index, shard: ShardID($0)) }
            })
        do throws(SystemError) {
            let shards = try WorkerPaths(path: directory.path).shards(in: environment.storage)
                .shards
            let removed = directory.removedIndexes.marks.map { mark in
                var wire = WireRemovedMark()
                wire.index = mark.name
                (wire.identityHigh, wire.identityLow) = (mark.identity.high, mark.identity.low)
                return wire
            }
            let others = shards.filter { !named.contains($0) }
            report(.surveyed(others.compactMap(found), removed: removed))
        } catch {
            // The broker goes on waiting for it, and makes no index meanwhile.
            logger.error("the directory cannot be looked through: \(error)")
        }
    }

    /// Tells where no replica is left here.
    func reportEmptiness() {
        // What cannot be listed is taken for something.
        let shards = try? WorkerPaths(path: directory.path).shards(in: environment.storage).shards
        if shards?.isEmpty == true { report(.emptied) }
    }

    /// Notes of which cluster the directory is.
    func join(_ cluster: UInt64) {
        do throws(SystemError) {
            try directory.join(cluster)
        } catch {
            logger.warning("of which cluster this worker is could not be written: \(error)")
        }
    }

    /// What is where a shard would be; nil where nothing is left of a replica.
    private func found(_ shard: ShardKey) -> WireFoundReplica? {
        if let replica = replicas[shard] {
            var found = WireFoundReplica(replica.index.settings, replica.index.identity)
            found.lastSequence = replica.lastSequence.value
            found.holdsRelated = replica.index.holdsRelated
            found.customKeys = replica.index.snapshot.schema.sortedCustomKeys.map(
                WireCustomKey.init)
            return found
        }
        // What cannot be listed is told by whoever opens it.
        guard (try? directory.holdsReplica(of: shard)) == true else { return nil }
        let path = FilePath.join(directory.segmentDirectory(of: shard), ReplicaIndex.manifestName)
        // What cannot be read is somebody's all the same.
        guard let bytes = try? environment.storage.read(path),
            let manifest = try? CopiedManifest(
                decoding: bytes, of: shard.index, shard: shard.shard, from: path)
        else {
            var unreadable = WireFoundReplica()
            unreadable.index = shard.index
            unreadable.shard = shard.shard.number
            return unreadable
        }
        var found = WireFoundReplica(manifest.settings, manifest.identity)
        found.lastSequence = max(manifest.checkpoint.value, journalEnd(of: shard))
        found.holdsRelated = manifest.holdsRelated
        found.customKeys = manifest.settings.customKeys.map(WireCustomKey.init)
        return found
    }

    /// The newest record that can be read of a journal; 0 where there is none.
    private func journalEnd(of shard: ShardKey) -> UInt64 {
        let location = JournalLocation(
            directory: directory.journalDirectory(of: shard),
            identity: JournalIdentity(indexName: shard.index, shard: shard.shard))
        let report = JournalVerifier.verify(location, storage: environment.storage)
        return report.files.last?.last.value ?? 0
    }
}

extension WireFoundReplica {
    fileprivate init(_ settings: ReplicaSettings, _ identity: ReplicaIdentity) {
        self.init()
        index = settings.index
        shard = settings.shard.number
        shardCount = settings.shardCount
        self.identity = identity.value
        indexIdentityHigh = UInt64(truncatingIfNeeded: settings.indexIdentity >> 64)
        indexIdentityLow = UInt64(truncatingIfNeeded: settings.indexIdentity)
    }
}
