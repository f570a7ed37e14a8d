import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

/// The files of one copy that is received, beside the replica: `<name>.seg.part` while they grow,
/// `<name>.seg` once they were synced and compared with their name.
struct IncomingFiles {
    private let shard: ShardKey
    private let directory: WorkerDirectory
    private let folder: String
    private var manifest: CopiedManifest?
    private var open: [String: (file: any StorageFile, bytes: UInt64)] = [:]

    /// Bytes that a disk keeps free beside a copy, for journals.
    private static let spareBytes: UInt64 = 64 << 20
    private static let pieceBytes = 4 << 20

    init(_ shard: ShardKey, directory: WorkerDirectory) {
        self.shard = shard
        self.directory = directory
        folder = directory.incomingSegments(of: shard)
    }

    private var storage: any Storage { directory.storage }

    /// Takes a manifest, and looks what of its files is here; removes what it does not name.
    mutating func begin(_ bytes: [UInt8]) throws(CopyError) -> [FoundFile] {
        let manifest: CopiedManifest
        do throws(IndexError) {
            manifest = try CopiedManifest(
                decoding: bytes, of: shard.index, shard: shard.shard, from: "the donor's manifest")
        } catch {
            throw .index(error)
        }
        self.manifest = manifest
        do throws(SystemError) {
            try storage.makeDirectory(folder)
            let names = Set(manifest.fileNames)
            for name in try storage.list(folder)
            where !names.contains(name) && !names.contains(Self.target(of: name)) {
                try storage.remove(FilePath.join(folder, name))
            }
            var found: [FoundFile] = []
            for name in manifest.fileNames { found.append(try look(for: name)) }
            return found
        } catch {
            throw .storage(error)
        }
    }

    /// Writes at the end of an unfinished file.
    mutating func store(_ bytes: [UInt8], at offset: UInt64, of name: String) throws(CopyError) {
        let free: UInt64
        do throws(SystemError) {
            free = try storage.freeBytes(at: folder)
        } catch {
            throw .storage(error)
        }
        // Journals of other shards need the last of a disk more than a copy does.
        guard free >= UInt64(bytes.count) + Self.spareBytes else {
            throw .noRoom(needed: UInt64(bytes.count) + Self.spareBytes, free: free)
        }
        do throws(SystemError) {
            var entry = try opened(name)
            guard entry.bytes == offset else { throw SystemError.closed(path: name) }
            try entry.file.append(bytes)
            entry.bytes += UInt64(bytes.count)
            open[name] = entry
        } catch {
            if case .closed = error { throw .notInOrder(file: name, offset: offset) }
            throw .storage(error)
        }
    }

    /// Syncs a file and compares it with its name.
    ///
    /// - Returns: false for a file that is not what its name says; it is removed.
    /// - Throws: `faulty` for one that is, and still no sound segment.
    mutating func finish(_ name: String) throws(CopyError) -> Bool {
        let path = FilePath.join(folder, name + Self.suffix)
        let bytes: SharedBytes
        do throws(SystemError) {
            try opened(name).file.sync()
            open[name] = nil
            bytes = try storage.map(path)
            guard SegmentName(of: bytes.bytes).fileName == name else {
                try storage.remove(path)
                return false
            }
        } catch {
            throw .storage(error)
        }
        do throws(SegmentError) {
            try SegmentVerifier.verify(bytes)
        } catch {
            throw .faulty(file: name, reason: "\(error)")
        }
        do throws(SystemError) {
            try storage.rename(path, to: FilePath.join(folder, name))
        } catch {
            throw .storage(error)
        }
        return true
    }

    /// Writes the manifest of the new replica: from now on the folder is one.
    mutating func complete(drawn number: UInt64) throws(CopyError) {
        open = [:]
        do throws(SystemError) {
            try manifest?.write(into: folder, drawn: number, storage: storage)
        } catch {
            throw .storage(error)
        }
    }

    private static let suffix = ".part"

    private static func target(of name: String) -> String {
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    private mutating func look(for name: String) throws(SystemError) -> FoundFile {
        let path = FilePath.join(folder, name)
        if let bytes = try storage.size(of: path) {
            return FoundFile(name: name, bytes: UInt64(bytes), isWhole: true)
        }
        if try storage.size(of: path + Self.suffix) == nil { try reuse(name) }
        return FoundFile(
            name: name, bytes: UInt64(try storage.size(of: path + Self.suffix) ?? 0))
    }

    /// Copies a segment that the replica has already; it is compared like any other.
    private mutating func reuse(_ name: String) throws(SystemError) {
        let path = FilePath.join(directory.segmentDirectory(of: shard), name)
        guard let size = try storage.size(of: path),
            try storage.freeBytes(at: folder) >= UInt64(size) + Self.spareBytes
        else { return }
        let source = try storage.open(path, create: .readOnly)
        defer { source.close() }
        var entry = try opened(name)
        var offset = 0
        while offset < size {
            let count = min(Self.pieceBytes, size - offset)
            try entry.file.append(try source.read(at: offset, count: count))
            offset += count
        }
        entry.bytes = UInt64(size)
        open[name] = entry
    }

    private mutating func opened(
        _ name: String
    ) throws(SystemError) -> (file: any StorageFile, bytes: UInt64) {
        if let entry = open[name] { return entry }
        let file = try storage.open(
            FilePath.join(folder, name + Self.suffix), create: .ifMissing)
        let entry = (file: file, bytes: UInt64(try file.size()))
        open[name] = entry
        return entry
    }
}
