import FresnelModel
import FresnelSystem

extension ReplicaIndex {
    /// What a directory holds.
    struct Opened {
        let identity: ReplicaIdentity
        /// Of the index; 0 where nobody has told it.
        let indexIdentity: UInt128
        /// As the manifest has it.
        let born: SequenceNumber?
        let snapshot: IndexSnapshot
        let state: WriterState
        /// Segments of older formats that were made anew.
        let refoldedSegments: Int
    }

    /// Reads the manifest, or makes the first one, and opens the segments it names.
    static func open(
        _ directory: String, _ settings: ReplicaSettings, _ environment: Environment,
        _ refolding: consuming Refolding
    ) throws(IndexError) -> Opened {
        var state = WriterState()
        var manifest: Manifest
        if let kept = try readManifest(directory, settings, environment) {
            manifest = kept
        } else {
            manifest = try makeManifest(directory, settings, environment)
        }
        var segments: [PublishedSegment] = []
        for entry in manifest.entries {
            let segment = try openSegment(entry.name, directory, environment)
            for part in try refolding.parts(of: segment, entry, in: &manifest) {
                let published = state.parts.publish(
                    part.segment, manifest.schema, deletions: part.deletions)
                state.files[published.serial] = part.file
                segments.append(published)
            }
        }
        state.named = refolding.named.union(manifest.entries.map(\.name))
        state.parts.applied = manifest.applied
        state.parts.holdsRelated = manifest.holdsRelated
        state.checkpoint = manifest.checkpoint
        // Everything counts as new: what was retained is retained anew, never too short.
        state.parts.marks.note(
            manifest.checkpoint,
            at: environment.time.monotonicSeconds, keeping: settings.retention)
        let snapshot = IndexSnapshot(
            segments: segments, sequence: manifest.checkpoint, schema: manifest.schema,
            oldestReadable: manifest.oldestReadable, oldestInstant: manifest.oldestInstant)
        return Opened(
            identity: manifest.identity,
            indexIdentity: manifest.indexIdentity == 0
                ? settings.indexIdentity : manifest.indexIdentity,
            born: manifest.born, snapshot: declaring(settings.customKeys, in: snapshot),
            state: state, refoldedSegments: refolding.segments)
    }

    /// Begins a directory: with its identity, before anything else is in it.
    private static func makeManifest(
        _ directory: String, _ settings: ReplicaSettings, _ environment: Environment
    ) throws(IndexError) -> Manifest {
        let storage = environment.storage
        let manifest = Manifest(
            settings, ReplicaIdentity(drawn: environment.chance.next()))
        let remains: String?
        do throws(SystemError) {
            try storage.makeDirectory(directory)
            remains = try storage.list(directory).first { SegmentName(fileName: $0) != nil }
            if remains == nil {
                try storage.replaceFile(
                    FilePath.join(directory, Manifest.fileName), with: manifest.encoded)
            }
        } catch {
            throw .storage(error)
        }
        if let remains { throw .missingManifest(directory: directory, found: remains) }
        return manifest
    }

    private static func readManifest(
        _ directory: String, _ settings: ReplicaSettings, _ environment: Environment
    ) throws(IndexError) -> Manifest? {
        let path = FilePath.join(directory, Manifest.fileName)
        let bytes: [UInt8]
        do throws(SystemError) {
            guard try environment.storage.size(of: path) != nil else { return nil }
            bytes = try environment.storage.read(path)
        } catch {
            throw .storage(error)
        }
        let manifest = try Manifest(decoding: bytes, path: path)
        let expected = Manifest(settings, manifest.identity)
        guard manifest.owner == expected.owner else {
            throw .foreign(path: path, found: manifest.owner, expected: expected.owner)
        }
        guard
            manifest.indexIdentity == 0 || settings.indexIdentity == 0
                || manifest.indexIdentity == settings.indexIdentity
        else { throw .otherIndex(path: path, index: settings.index) }
        return manifest
    }

    private static func openSegment(
        _ name: SegmentName, _ directory: String, _ environment: Environment
    ) throws(IndexError) -> Segment {
        let path = FilePath.join(directory, name.fileName)
        let bytes: SharedBytes
        do throws(SystemError) {
            bytes = try environment.storage.map(path)
        } catch {
            throw error.isMissingFile ? .missingSegment(path: path) : .storage(error)
        }
        do throws(SegmentError) {
            // Every byte is read, front to back, and then only what queries need.
            bytes.prefetch()
            let segment = try Segment(bytes)
            // Sound is not enough: a file that was put back under another's name is sound, too.
            let actual = SegmentName(of: bytes.bytes)
            guard actual == name else { throw .misnamed(expected: name, actual: actual) }
            bytes.releasePages()
            return segment
        } catch {
            throw .segment(path: path, error)
        }
    }
}

extension Manifest {
    /// An empty manifest of a replica.
    init(_ settings: ReplicaSettings, _ identity: ReplicaIdentity) {
        self.init(
            identity: identity, index: settings.index, shard: settings.shard,
            shardCount: settings.shardCount,
            checkpoint: .zero, holdsRelated: false, schema: AttributeSchema(), entries: [],
            applied: AppliedBatches())
        indexIdentity = settings.indexIdentity
    }
}
