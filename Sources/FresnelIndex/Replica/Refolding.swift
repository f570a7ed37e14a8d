import FresnelModel
import FresnelSystem

// Keys in segments are folded. Where this program folds otherwise than the one that wrote them, a
// text would be looked for under a key that it does not stand under. So segments of older formats
// are made anew of their stored documents before anything is asked of them: one segment after the
// other, its files first, then the manifest that names them in its place, then the old file goes. A
// crash in between leaves the old manifest or a new one, each with its files, and the next opening
// goes on from there.

/// Makes the segments anew whose keys are folded otherwise, while a replica opens.
struct Refolding {
    /// How much of a segment is made anew at a time: its documents are in memory meanwhile.
    struct Piece {
        var documents = 1 << 16
        var bytes = 64 << 20
    }

    let directory: String
    let storage: any Storage
    /// Whether files are written; where a directory is only read, all is in memory.
    let writesFiles: Bool
    /// Whether the replica need not open any more; asked between pieces.
    let isStopping: () -> Bool
    var piece = Piece()
    /// Every segment that a manifest on the disk names, or may name.
    private(set) var named: Set<SegmentName> = []
    /// Segments that were made anew.
    private(set) var segments = 0

    init(
        _ directory: String, _ storage: any Storage, writesFiles: Bool,
        isStopping: @escaping () -> Bool
    ) {
        self.directory = directory
        self.storage = storage
        self.writesFiles = writesFiles
        self.isStopping = isStopping
    }

    /// What takes the place of a segment.
    struct Part {
        var segment: Segment
        var deletions: Deletions
        /// Its file, if the manifest on the disk names it.
        var file: SegmentName?
        /// Its file, if that could be written.
        fileprivate var written: SegmentName?

        /// A segment that stays as it is.
        init(_ segment: Segment, _ entry: Manifest.Entry) {
            (self.segment, deletions, file) = (segment, entry.deletions, entry.name)
        }

        fileprivate init(new segment: Segment) {
            (self.segment, deletions, file) = (segment, Deletions(), nil)
        }
    }

    /// What a segment becomes: itself, where its keys are folded as this program folds.
    ///
    /// Puts what is new in the old one's place in the manifest, on the disk too.
    /// What cannot be written stays in memory: the next seal tries again, and says why it fails.
    ///
    /// - Throws: `stopped`; `segment` for documents that cannot be read.
    mutating func parts(
        of segment: Segment, _ entry: Manifest.Entry, in manifest: inout Manifest
    ) throws(IndexError) -> [Part] {
        guard !segment.isFoldedAsNow else { return [Part(segment, entry)] }
        segments += 1
        named.formUnion(manifest.entries.map(\.name))
        var parts = try made(of: segment, entry)
        let entries = parts.compactMap { part in
            part.written.map { Manifest.Entry(name: $0, deletions: part.deletions) }
        }
        guard entries.count == parts.count, let place = manifest.entries.firstIndex(of: entry)
        else { return parts }
        var next = manifest
        next.entries.replaceSubrange(place...place, with: entries)
        do throws(SystemError) {
            try storage.replaceFile(
                FilePath.join(directory, Manifest.fileName), with: next.encoded)
        } catch {
            // The next seal tries again. If this manifest got to the disk, its files are there.
            return parts
        }
        manifest = next
        named = Set(next.entries.map(\.name))
        for number in parts.indices { parts[number].file = parts[number].written }
        removeFile(entry.name)
        return parts
    }

    private mutating func made(
        of old: Segment, _ entry: Manifest.Entry
    ) throws(IndexError) -> [Part] {
        let deletions = entry.deletions.sorted
        var parts: [Part] = []
        var next: DocumentNumber = 0
        repeat {
            if isStopping() { throw .stopped }
            let range = next..<end(of: old, from: next)
            do throws(SegmentError) {
                let blob = try SegmentRebuilder.rebuilt(old, range, packing: .standard)
                parts.append(written(try blob.open()))
            } catch {
                throw .segment(path: FilePath.join(directory, entry.name.fileName), error)
            }
            for (document, sequence) in deletions where range.contains(document) {
                let number = document - range.lowerBound
                parts[parts.count - 1].deletions.insert(number, at: sequence)
            }
            next = range.upperBound
        } while Int(next) < old.documentCount
        return parts
    }

    /// A new segment, read from its file where it could be written and mapped.
    private mutating func written(_ segment: Segment) -> Part {
        var part = Part(new: segment)
        guard writesFiles else { return part }
        // In memory it is as good: the next seal tries again, and says why it fails.
        guard let name = try? ReplicaIndex.write(segment, into: directory, storage) else {
            return part
        }
        named.insert(name)
        part.written = name
        let path = FilePath.join(directory, name.fileName)
        // It was written a moment ago; a file that cannot be mapped is told at the next start.
        guard let mapped = try? Segment(storage.map(path), check: .footer) else { return part }
        part.segment = mapped
        return part
    }

    /// Where the piece that begins with a document ends.
    private func end(of old: Segment, from start: DocumentNumber) -> DocumentNumber {
        let limit = min(old.documentCount, Int(start) + piece.documents)
        var end = start
        var bytes = 0
        while Int(end) < limit, bytes < piece.bytes {
            bytes += old.stored.withEncoded(end) { $0.count }
            end += 1
        }
        return end
    }

    /// Frees the room of a file, unless two entries had it.
    private func removeFile(_ name: SegmentName) {
        guard !named.contains(name) else { return }
        // A file that stays is in nobody's way: it goes when the replica looks for strays.
        try? storage.remove(FilePath.join(directory, name.fileName))
    }
}
