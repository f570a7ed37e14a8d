import FresnelModel
import FresnelSystem

extension ReplicaIndex {
    /// Reads the manifest and opens the segments it names.
    static func open(
        _ directory: String, _ settings: ReplicaSettings, _ environment: Environment
    ) throws(IndexError) -> (snapshot: IndexSnapshot, state: WriterState) {
        var state = WriterState()
        guard let manifest = try readManifest(directory, settings, environment) else {
            let schema = settings.customKeys.reduce(into: AttributeSchema()) { schema, key in
                do { try schema.declare(key) } catch { return }
            }
            return (IndexSnapshot(segments: [], sequence: .zero, schema: schema), state)
        }
        var segments: [PublishedSegment] = []
        for entry in manifest.entries {
            let segment = try openSegment(entry.name, directory, environment)
            let published = state.publish(segment, manifest.schema, deletions: entry.deletions)
            state.files[published.serial] = entry.name
            segments.append(published)
        }
        state.applied = manifest.applied
        state.holdsRelated = manifest.holdsRelated
        state.checkpoint = manifest.checkpoint
        let snapshot = IndexSnapshot(
            segments: segments, sequence: manifest.checkpoint, schema: manifest.schema)
        return (declaring(settings.customKeys, in: snapshot), state)
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
        let expected = Manifest(settings)
        guard manifest.owner == expected.owner else {
            throw .foreign(path: path, found: manifest.owner, expected: expected.owner)
        }
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
            return try Segment(bytes)
        } catch {
            throw .segment(path: path, error)
        }
    }
}

extension Manifest {
    /// An empty manifest of a replica.
    init(_ settings: ReplicaSettings) {
        self.init(
            index: settings.index, shard: settings.shard, shardCount: settings.shardCount,
            checkpoint: .zero, holdsRelated: false, schema: AttributeSchema(), entries: [],
            applied: AppliedBatches())
    }
}
