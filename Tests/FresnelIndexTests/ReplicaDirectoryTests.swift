import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("The directory of a replica")
struct ReplicaDirectoryTests {
    private let storage = MemoryStorage()
    private let directory = "/data/items/0/segments"
    private var manifest: String { FilePath.join(directory, ReplicaIndex.manifestName) }

    private func open(_ seed: UInt64 = 1) throws(IndexError) -> ReplicaIndex {
        try ReplicaIndex(
            opening: directory,
            settings: ReplicaSettings(
                index: "items", shard: ShardID(0), shardCount: 1,
                expiration: .after(.seconds(30 * 86_400))),
            environment: Environment(
                time: ManualTime(), chance: SeededRandom(seed: seed), storage: storage))
    }

    private func apply(_ operations: [BatchOperation], to replica: ReplicaIndex) {
        var wires: [WireOperation] = []
        var payload: [UInt8] = []
        for (position, operation) in operations.enumerated() {
            var wire = operation.routed
            let body = operation.body
            wire.position = UInt32(position)
            wire.bodyOffset = UInt32(payload.count)
            wire.bodyLength = UInt32(body.count)
            wires.append(wire)
            payload += body
        }
        let last = replica.lastSequence
        let now = Timestamp(wholeSeconds: 86_400)
        _ = replica.apply(
            PartInput(
                sequence: last.next, previous: last,
                batch: BatchIdentity(client: 7, number: last.next.value), operations: wires,
                payload: payload, stampedAt: now, context: QueryContext(now: now)))
    }

    private static let documents = ["pie", "phone"].map {
        BatchOperation.index(Document(uniqueIdentifier: $0))
    }

    @Test("A new directory gets an identity that survives power loss at once", arguments: 1...8)
    func durable(seed: UInt64) throws {
        let identity = try open(seed).identity
        #expect(identity != .unknown)
        storage.crash(seed: seed)
        #expect(try open(seed + 100).identity == identity)
    }

    @Test("An empty manifest, and another program's, is refused with a way out")
    func noManifest() throws {
        _ = try open()
        for text in ["", "SQLite format 3 and so on"] {
            try storage.replaceFile(manifest, with: Array(text.utf8))
            do throws(IndexError) {
                _ = try open()
                Issue.record("a replica opened over \"\(text)\"")
            } catch {
                for words in ["empty", "restore it from a backup", "--replace-lost", "--data"] {
                    #expect("\(error)".contains(words), "\(error)")
                }
            }
        }
    }

    @Test("Two directories never have the same identity")
    func different() throws {
        let identities = try (1...50).map { seed in
            try ReplicaIndex(
                opening: "\(directory)/\(seed)",
                settings: ReplicaSettings(index: "items", shard: ShardID(0), shardCount: 1),
                environment: Environment(
                    time: ManualTime(), chance: SeededRandom(seed: UInt64(seed)), storage: storage)
            ).identity
        }
        #expect(Set(identities).count == 50)
        #expect(ReplicaIdentity(drawn: 0) != .unknown)
    }

    @Test("Sealing keeps the identity")
    func sealing() throws {
        let replica = try open()
        apply(Self.documents, to: replica)
        _ = try replica.seal()
        let again = try open(2)
        #expect(again.identity == replica.identity)
        #expect(again.documentCount(at: Timestamp(wholeSeconds: 86_400)) == 2)
    }

    @Test("A replica that died in its first seal is opened as it was: empty, with its identity")
    func firstSeal() throws {
        let replica = try open()
        apply(Self.documents, to: replica)
        let begun = try storage.read(manifest)
        _ = try replica.seal()
        storage.place(begun, at: manifest)
        let again = try open(2)
        #expect(again.identity == replica.identity && again.checkpoint == .zero)
    }

    @Test("Segments without a manifest are an error, not an empty replica, and stay as they are")
    func remains() throws {
        let replica = try open()
        apply(Self.documents, to: replica)
        _ = try replica.seal()
        try storage.remove(manifest)
        let names = try storage.list(directory)
        do {
            _ = try open(2)
            Issue.record("it was opened")
        } catch {
            #expect(error.description.contains("no MANIFEST"), "\(error)")
            #expect(error.description.contains("--replace-lost"), "\(error)")
        }
        #expect(try storage.list(directory) == names)
    }

    @Test(
        "A sound segment under another's name is refused, wherever it came from",
        arguments: [false, true])
    func exchanged(isFromElsewhere: Bool) throws {
        let replica = try open()
        for document in Self.documents {
            apply([document], to: replica)
            _ = try replica.seal()
        }
        let names = try storage.list(directory).filter { $0.hasSuffix(".seg") }
        try #require(names.count == 2)
        let paths = names.map { FilePath.join(directory, $0) }
        let files = try paths.map { try storage.read($0) }
        storage.place(files[1], at: paths[0])
        if !isFromElsewhere { storage.place(files[0], at: paths[1]) }
        do throws(IndexError) {
            _ = try open(2)
            Issue.record("a replica opened over a file that is not what its name says")
        } catch {
            guard case .segment(paths[0], .misnamed) = error else {
                Issue.record("another error: \(error)")
                return
            }
            #expect("\(error)".contains("restore the file from a backup"), "\(error)")
        }
    }

    @Test("A replica of another index of the same name is refused, with both ways out")
    func otherIndex() throws {
        func open(_ identity: UInt128, seed: UInt64) throws(IndexError) -> ReplicaIndex {
            try ReplicaIndex(
                opening: directory,
                settings: ReplicaSettings(
                    index: "items", indexIdentity: identity, shard: ShardID(0), shardCount: 1),
                environment: Environment(
                    time: ManualTime(), chance: SeededRandom(seed: seed), storage: storage))
        }
        // Made by a program that was not told, it belongs to the first that it is told of.
        _ = try open(0, seed: 1)
        let replica = try open(7, seed: 2)
        apply(Self.documents, to: replica)
        _ = try replica.seal()
        #expect(try open(0, seed: 3).identity == replica.identity)
        #expect(try open(7, seed: 4).identity == replica.identity)
        do throws(IndexError) {
            _ = try open(8, seed: 5)
            Issue.record("it was opened")
        } catch {
            for words in ["another index of the name items", "newest state", "move the shard"] {
                #expect("\(error)".contains(words), "\(error)")
            }
        }
    }

    @Test("A manifest of an older format is refused with what to do")
    func olderFormat() throws {
        _ = try open()
        var bytes = Array(try storage.read(manifest).dropLast(8))
        bytes[8] = 1
        storage.place(bytes + checksum(of: bytes), at: manifest)
        do {
            _ = try open(2)
            Issue.record("it was opened")
        } catch {
            #expect(error.description.contains("format 1"), "\(error)")
        }
    }

    @Test("A manifest is written exactly as the golden file")
    func golden() throws {
        let replica = try open()
        apply(Self.documents, to: replica)
        _ = try replica.seal()
        apply([.deleteIdentifier("pie")], to: replica)
        _ = try replica.seal()
        let expected = try Self.golden("one-folded-segment", version: 4)
        let written = try storage.read(manifest)
        #expect(
            written == expected, "\(written.map { String($0, radix: 16) }.joined(separator: " "))")
        storage.place(expected, at: manifest)
        #expect(try open(2).identity == replica.identity)
        // The same with segments of older versions, which are not here: they are read, and asked
        // for.
        for (older, name) in [
            ("one-segment", "681784c3959f45783426362ba9e2730a.seg"),
            ("one-newer-segment", "7e30801a6c00a591e12c06934ea74ca4.seg"),
            ("one-newest-segment", "c03c500c32799c7668e9469a75bbe8b3.seg"),
        ] {
            storage.place(try Self.golden(older, version: 3), at: manifest)
            do {
                _ = try open(2)
                Issue.record("it was opened")
            } catch {
                #expect(error.description.contains(name), "\(error)")
            }
        }
    }

    private static func golden(_ name: String, version: Int) throws -> [UInt8] {
        let tests = FilePath.directory(of: FilePath.directory(of: #filePath))
        let path = tests + "/Golden/manifest/v\(version)/\(name).hex"
        let text = String(decoding: try DiskStorage().read(path), as: UTF8.self)
        let digits = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    private func checksum(of bytes: [UInt8]) -> [UInt8] {
        let sum = Hash.checksum(of: bytes)
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    }
}
