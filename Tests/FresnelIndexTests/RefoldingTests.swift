import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Synchronization
import Testing

@testable import FresnelIndex

/// A replica as 0.1.0 wrote it before vowels of Thai were letters: its keys have none.
@Suite("Segments folded as before version 9")
struct RefoldingTests {
    private let storage = MemoryStorage()
    private static let directory = "/data/default/0/segments"
    private static let old = "e6972e6d0f21eff19a952171f9a83a9c.seg"
    private static let now = Timestamp(wholeSeconds: 1_800_000_000)

    private func place() throws {
        storage.place(
            try Self.golden("segment"), at: FilePath.join(Self.directory, Self.old))
        storage.place(
            try Self.golden("manifest"),
            at: FilePath.join(Self.directory, ReplicaIndex.manifestName))
    }

    private func open(isReadOnly: Bool = false) throws -> ReplicaIndex {
        try ReplicaIndex(
            opening: Self.directory,
            settings: ReplicaSettings(
                index: "default", shard: ShardID(0), shardCount: 1, expiration: .never),
            environment: Environment(
                time: ManualTime(), chance: SeededRandom(seed: 1), storage: storage),
            isReadOnly: isReadOnly)
    }

    private static func golden(_ kind: String) throws -> [UInt8] {
        let tests = FilePath.directory(of: FilePath.directory(of: #filePath))
        let path = tests + "/Golden/\(kind)/v3/words-of-thai.hex"
        let text = String(decoding: try DiskStorage().read(path), as: UTF8.self)
        let digits = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    /// Deletes what a query finds; how many documents are left.
    private func delete(_ query: String, from replica: ReplicaIndex) -> UInt64 {
        var wire = BatchOperation.deleteQuery(query).routed
        let body = BatchOperation.deleteQuery(query).body
        wire.bodyLength = UInt32(body.count)
        let last = replica.lastSequence
        _ = replica.apply(
            PartInput(
                sequence: last.next, previous: last,
                batch: BatchIdentity(client: 7, number: last.next.value), operations: [wire],
                payload: body, stampedAt: Self.now, context: QueryContext(now: Self.now)))
        return replica.documentCount(at: Self.now)
    }

    @Test(
        "are made anew when the replica opens, and answer as new ones do", arguments: [true, false])
    func answers(isReadOnly: Bool) throws {
        try place()
        let replica = try open(isReadOnly: isReadOnly)
        #expect(replica.documentCount(at: Self.now) == 3)
        #expect(replica.refoldedSegments == 1)
        #expect(replica.snapshot.segments.allSatisfy { $0.view.segment.isFoldedAsNow })
        #expect(delete("title == \"กน\"cd", from: replica) == 3, "no vowel is dropped")
        #expect(delete("title == \"กิน\"cd", from: replica) == 2, "eat is not together")
        #expect(delete("** == \"coop*\"cdw", from: replica) == 1, "the soft hyphen does not count")
        #expect(delete("title == \"กัน\"cdw", from: replica) == 0)
    }

    @Test("are replaced in the directory at once, and for good")
    func files() throws {
        try place()
        let replica = try open()
        #expect(!replica.needsSealing)
        let files = try storage.list(Self.directory).filter { $0.hasSuffix(".seg") }
        #expect(files.count == 1 && files != [Self.old])
        for file in files {
            let bytes = try storage.map(FilePath.join(Self.directory, file))
            #expect(try Segment(bytes).isFoldedAsNow)
        }
        storage.crash(seed: 1)
        let again = try open()
        #expect(again.refoldedSegments == 0)
        #expect(again.documentCount(at: Self.now) == 3)
        // Removing a file is not synced: power loss brings it back, and nobody names it.
        _ = try again.removeStrays()
        #expect(try storage.list(Self.directory).filter { $0.hasSuffix(".seg") } == files)
    }

    @Test("stay in the directory where it is only read")
    func reading() throws {
        try place()
        let before = try storage.list(Self.directory).sorted()
        let manifest = FilePath.join(Self.directory, ReplicaIndex.manifestName)
        let bytes = try storage.read(manifest)
        _ = try open(isReadOnly: true)
        #expect(try storage.list(Self.directory).sorted() == before)
        #expect(try storage.read(manifest) == bytes)
    }

    @Test("are made anew in memory on a full disk, and written by the first seal with room")
    func fullDisk() throws {
        try place()
        storage.setCapacity(64)
        let replica = try open()
        #expect(replica.needsSealing)
        #expect(delete("title == \"กิน\"cd", from: replica) == 2)
        #expect(throws: IndexError.self) { try replica.seal() }
        #expect(try storage.list(Self.directory).contains(Self.old))
        storage.setCapacity(nil)
        try replica.seal()
        #expect(try !storage.list(Self.directory).contains(Self.old))
        let again = try open()
        #expect(again.refoldedSegments == 0)
        #expect(again.documentCount(at: Self.now) == 2)
    }
}

/// Replicas of several segments whose files say that an older program wrote them.
@Suite("Replicas of older segments")
struct RefoldingReplicaTests {
    private typealias Parts = PropertyPartGroupTests
    private static let directory = "/data/default/0"

    /// A replica of some segments with deletions, all in files, and when its newest part came.
    private static func replica(
        _ seed: UInt64, _ storage: any Storage
    ) throws -> (ReplicaIndex, Timestamp) {
        var chance = MatchingChance(seed: seed)
        var numbered = 0
        let replica = try Parts.replica(storage)
        var now = Timestamp(wholeSeconds: 0)
        for _ in 0..<3 {
            let parts = try Parts.parts(2, after: replica.lastSequence, &numbered, &chance)
            for part in parts {
                _ = replica.apply(part)
                now = part.stampedAt
            }
            try replica.seal()
        }
        return (replica, now)
    }

    /// The file as an older program would have named its format.
    static func aged(_ bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        let trailer = bytes.count - SegmentFormat.trailerBytes
        let older: UInt8 = try #require(
            ([9: 3, 10: 7, 11: 8] as [UInt8: UInt8])[bytes[trailer + 8]])
        bytes[trailer + 8] = older
        let count = (0..<4).reduce(0) { $0 | Int(bytes[trailer + 12 + $1]) << (8 * $1) }
        let table = trailer - count * SegmentFormat.entryBytes
        let checksum = Hash.checksum(of: Array(bytes[table..<trailer + 16]))
        for place in 0..<8 {
            bytes[trailer + 16 + place] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt64(place)))
        }
        return bytes
    }

    /// Makes all segments of the directory older ones.
    private static func age(_ storage: MemoryStorage) throws {
        let path = FilePath.join(directory, ReplicaIndex.manifestName)
        var manifest = try Manifest(decoding: storage.read(path), path: path)
        for place in manifest.entries.indices {
            let former = FilePath.join(directory, manifest.entries[place].name.fileName)
            let bytes = try aged(storage.read(former))
            let name = SegmentName(of: bytes.span)
            try storage.remove(former)
            try storage.replaceFile(FilePath.join(directory, name.fileName), with: bytes)
            manifest.entries[place].name = name
        }
        try storage.replaceFile(path, with: manifest.encoded)
    }

    @Test(
        "A crash at any change of a file loses nothing, and the next opening goes on",
        arguments: 1...3)
    func crashes(seed: UInt64) throws {
        var changes = 0
        var isDone = false
        while !isDone {
            let disk = MemoryStorage()
            let (before, now) = try Self.replica(seed, disk)
            let digest = before.snapshot.contentDigest(at: before.lastSequence, now: now)
            #expect(before.snapshot.segments.count >= 2)
            try Self.age(disk)
            let storage = EventfulStorage(disk)
            let left = Atomic(changes)
            storage.setEvent { () throws(SystemError) in
                guard left.subtract(1, ordering: .relaxed).newValue < 0 else { return }
                throw .failed(call: "write", path: "", reason: .noSpace)
            }
            // A disk on which nothing can be opened opens no replica.
            if let opened = try? Parts.replica(storage) {
                #expect(opened.snapshot.contentDigest(at: opened.lastSequence, now: now) == digest)
                isDone = !opened.needsSealing && left.load(ordering: .relaxed) >= 0
            }
            storage.setEvent(nil)
            disk.crash(seed: seed &+ UInt64(changes))
            let again = try Parts.replica(disk)
            #expect(again.snapshot.contentDigest(at: again.lastSequence, now: now) == digest)
            #expect(again.snapshot.segments.allSatisfy { $0.view.segment.isFoldedAsNow })
            #expect(again.refoldedSegments <= before.snapshot.segments.count)
            _ = try again.removeStrays()
            let files = try disk.list(Self.directory).filter { $0.hasSuffix(".seg") }
            #expect(files.count == again.snapshot.segments.count, "\(changes) changes")
            changes += 1
            try #require(changes < 200)
        }
        #expect(changes > 6, "changes were seen")
    }

    @Test("Opening is called off between segments, and keeps what it has done")
    func stopping() throws {
        let disk = MemoryStorage()
        let (before, now) = try Self.replica(4, disk)
        let count = before.snapshot.segments.count
        let digest = before.snapshot.contentDigest(at: before.lastSequence, now: now)
        try Self.age(disk)
        var asked = 0
        do throws(IndexError) {
            _ = try ReplicaIndex(
                opening: Self.directory, settings: before.settings,
                environment: before.environment
            ) {
                asked += 1
                return asked > 1
            }
            Issue.record("it opened")
        } catch {
            guard case .stopped = error else { throw error }
        }
        let again = try Parts.replica(disk)
        #expect(again.refoldedSegments == count - 1)
        #expect(again.snapshot.contentDigest(at: again.lastSequence, now: now) == digest)
    }

    @Test("A copy of a replica that is in memory only holds the same", arguments: 1...3)
    func copying(seed: UInt64) throws {
        let disk = MemoryStorage()
        let (before, now) = try Self.replica(seed, disk)
        let digest = before.snapshot.contentDigest(at: before.lastSequence, now: now)
        // What an older worker sends.
        try Self.age(disk)
        let older = try Parts.replica(disk, isReadOnly: true)
        #expect(older.needsSealing)
        let copy = older.copy()
        let other = MemoryStorage()
        other.makeDirectory(Self.directory)
        for (name, bytes) in copy.files {
            try other.replaceFile(FilePath.join(Self.directory, name), with: bytes)
        }
        let manifest = try CopiedManifest(
            decoding: copy.manifest, of: "default", shard: ShardID(0), from: "a copy")
        try manifest.write(into: Self.directory, drawn: 9, storage: other)
        let replica = try Parts.replica(other)
        #expect(replica.refoldedSegments == 0)
        #expect(replica.snapshot.contentDigest(at: replica.lastSequence, now: now) == digest)
    }

    @Test("A large segment becomes several, with its deletions", arguments: [1, 5, 7, 64])
    func pieces(size: Int) throws {
        let documents = MatchingCorpusDocuments.incoming(23, seed: 3)
        let bytes = try Self.aged(SegmentBuilder.build(documents: documents).bytes)
        let old = try Segment(SharedBytes(bytes))
        var deletions = Deletions()
        for number in [0, 6, 7, 22] as [DocumentNumber] { deletions.insert(number, at: 90) }
        let disk = MemoryStorage()
        disk.makeDirectory(Self.directory)
        var refolding = Refolding(Self.directory, disk, writesFiles: true) { false }
        refolding.piece.documents = size
        let name = SegmentName(of: bytes.span)
        let entries = [
            Manifest.Entry(name: SegmentName(Hash128(high: 1, low: 1)), deletions: Deletions()),
            Manifest.Entry(name: name, deletions: deletions),
            Manifest.Entry(name: SegmentName(Hash128(high: 2, low: 2)), deletions: Deletions()),
        ]
        var manifest = Manifest(
            ReplicaSettings(index: "default", shard: ShardID(0), shardCount: 1),
            ReplicaIdentity(drawn: 1))
        manifest.entries = entries
        let parts = try refolding.parts(of: old, entries[1], in: &manifest)
        #expect(parts.count == (23 + size - 1) / size)
        #expect(manifest.entries.first == entries[0] && manifest.entries.last == entries[2])
        #expect(manifest.entries.dropFirst().dropLast().map(\.name) == parts.compactMap(\.file))
        var number = 0
        for part in parts {
            for own in 0..<DocumentNumber(part.segment.documentCount) {
                let place = DocumentNumber(number)
                #expect(part.segment.stored.encoded(own) == old.stored.encoded(place))
                #expect(part.deletions.sequence(of: own) == deletions.sequence(of: place))
                #expect(
                    part.segment.versions.createdSequence(of: own)
                        == old.versions.createdSequence(of: place))
                number += 1
            }
            #expect(SegmentRebuilder.compare(part.segment) == .equal)
        }
        #expect(number == 23)
    }

    @Test("Segments of older packed formats verify, whatever was irregular then")
    func verifying() throws {
        let documents = MatchingCorpusDocuments.incoming(40, seed: 5)
        for packing in [SegmentPacking.always, .standard] {
            let bytes = try SegmentBuilder.build(documents: documents, packing: packing).bytes
            let old = try Self.aged(bytes)
            try SegmentVerifier.verify(SharedBytes(old))
            guard case .otherFormat = SegmentRebuilder.compare(try Segment(SharedBytes(old))) else {
                Issue.record("it was compared")
                continue
            }
        }
    }
}

private enum MatchingCorpusDocuments {
    static func incoming(_ count: Int, seed: UInt64) -> [IncomingDocument] {
        var chance = MatchingChance(seed: seed)
        return (0..<count).map { number in
            let document = chance.document("d\(number)")
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document,
                createdSequence: UInt64(number + 1), expiration: .infinity)
        }
    }
}
