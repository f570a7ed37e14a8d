import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

/// The manifest's formats, byte by byte, as Documentation/file-formats.md describes them.
@Suite("The manifest's file format")
struct ManifestGoldenTests {
    private let storage = MemoryStorage()
    private static let settings = ReplicaSettings(
        index: "shop", indexIdentity: UInt128(0x0A0B) << 64 | 0x0C0D, shard: ShardID(0),
        shardCount: 1, expiration: .never)
    private static let batch = BatchIdentity(client: UInt128(0x0102) << 64 | 0x0304, number: 5)

    private func open() throws -> ReplicaIndex {
        try ReplicaIndex(
            opening: "/data", settings: Self.settings,
            environment: Environment(
                time: ManualTime(), chance: SeededRandom(seed: 1), storage: storage))
    }

    /// One deletion that finds nothing, and one that is refused.
    private static func part() throws -> PartInput {
        var operations: [WireOperation] = []
        for (position, operation) in [
            BatchOperation.deleteIdentifier("x"), .deleteDomain(""),
        ].enumerated() {
            var wire = operation.routed
            wire.position = UInt32(position)
            wire.bodyOffset = UInt32(position)
            wire.bodyLength = UInt32(operation.body.count)
            operations.append(wire)
        }
        let now = Timestamp(wholeSeconds: 86_400)
        return PartInput(
            sequence: SequenceNumber(9), previous: .zero, batch: batch, operations: operations,
            payload: Array("x".utf8), customKeys: [try CustomAttributeKey("com_a", .string)],
            stampedAt: now, context: QueryContext(now: now))
    }

    private static func golden(_ version: String) throws -> [UInt8] {
        let tests = FilePath.directory(of: FilePath.directory(of: #filePath))
        let path = tests + "/Golden/manifest/\(version)/one-batch.hex"
        let text = String(decoding: try DiskStorage().read(path), as: UTF8.self)
        let digits = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    @Test("A manifest is written exactly as the golden file of version 4")
    func writing() throws {
        let replica = try open()
        _ = replica.apply(try Self.part())
        _ = try replica.seal()
        #expect(try storage.read("/data/MANIFEST") == Self.golden("v4"))
    }

    @Test("The golden files are read", arguments: ["v2", "v3", "v4"])
    func reading(version: String) throws {
        storage.place(try Self.golden(version), at: "/data/MANIFEST")
        let replica = try open()
        let outcome = try #require(replica.outcome(of: Self.batch))
        #expect(outcome.contentHash == (try Self.part().contentHash(in: Self.settings)))
        #expect(outcome.sequence == SequenceNumber(9))
        #expect(outcome.refusals.map(\.position) == [1])
        #expect(replica.lastSequence == SequenceNumber(9))
        #expect(replica.snapshot.schema.customKeys["com_a"] != nil)
    }

    @Test("A manifest of a later version is refused by its number")
    func version() throws {
        var bytes = try Self.golden("v4")
        bytes[8] = 5
        var writer = ByteWriter()
        writer.writeRaw(Array(bytes.dropLast(8)))
        writer.write(Hash.checksum(of: writer.bytes))
        storage.place(writer.bytes, at: "/data/MANIFEST")
        let error = #expect(throws: IndexError.self) { try open() }
        guard case .manifestVersion("/data/MANIFEST", 5) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
