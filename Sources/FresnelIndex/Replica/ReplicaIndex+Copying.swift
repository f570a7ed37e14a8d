package import FresnelModel
package import FresnelSystem
import Synchronization

// What another worker reads of a replica is one snapshot with a manifest made for it: no file is
// written for that, nothing is sealed, and what merges replace stays readable while the copy holds
// it, in memory or as a mapped file whose name is gone.

/// One replica at one sequence number, ready to be read piece by piece.
package struct ReplicaCopy: Sendable {
    /// As a manifest file has it; the identity in it is that of the replica.
    package let manifest: [UInt8]
    /// Segment files by name.
    package let files: [String: SharedBytes]
    /// Everything up to here is in the files.
    package let sequence: SequenceNumber

    /// Bytes of the manifest and all files.
    package var totalBytes: UInt64 {
        files.values.reduce(UInt64(manifest.count)) { $0 + UInt64($1.count) }
    }
}

extension ReplicaIndex {
    /// The replica as it is now.
    package func copy() -> ReplicaCopy {
        let moment = self.moment
        var files: [String: SharedBytes] = [:]
        let manifest = moment.manifest(of: self) { published in
            let bytes = published.segment.bytes
            let name = moment.files[published.serial] ?? SegmentName(of: bytes.bytes)
            files[name.fileName] = bytes
            return name
        }
        return ReplicaCopy(
            manifest: manifest.encoded, files: files, sequence: moment.snapshot.sequence)
    }
}

/// A manifest that came from another replica of the same shard.
package struct CopiedManifest: Sendable {
    var manifest: Manifest

    /// Reads it.
    ///
    /// - Parameters:
    ///   - bytes: as `ReplicaCopy.manifest` has them.
    ///   - source: where they came from, for errors.
    /// - Throws: `foreign` for another shard's manifest, and what is wrong with it.
    package init(
        decoding bytes: [UInt8], of index: String, shard: ShardID, from source: String
    ) throws(IndexError) {
        manifest = try Manifest(decoding: bytes, path: source)
        guard manifest.index == index, manifest.shard == shard else {
            throw .foreign(
                path: source, found: manifest.owner,
                expected: "shard \(shard.number) of index \(index)")
        }
    }

    /// The names of the segment files, each once.
    package var fileNames: [String] {
        var seen: Set<String> = []
        return manifest.entries.map(\.name.fileName).filter { seen.insert($0).inserted }
    }

    /// Everything up to here is in the files.
    package var checkpoint: SequenceNumber { manifest.checkpoint }

    /// Writes it as the manifest of a new replica, durable when this returns; the files are there.
    ///
    /// - Parameter chance: a number drawn by chance, for the identity.
    package func write(
        into directory: String, drawn chance: UInt64, storage: any Storage
    ) throws(SystemError) {
        var copy = manifest
        copy.identity = ReplicaIdentity(drawn: chance)
        copy.born = copy.checkpoint
        try storage.syncDirectory(directory)
        try storage.replaceFile(
            FilePath.join(directory, Manifest.fileName), with: copy.encoded)
    }
}
