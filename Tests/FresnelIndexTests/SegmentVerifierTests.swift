import FresnelIndex
import FresnelKernels
import FresnelSystem
import Testing

struct SegmentVerifierTests {
    private func blob(
        _ count: Int, seed: UInt64 = 21, packing: SegmentPacking = .standard
    ) throws -> SegmentBlob {
        var source = SegmentDocuments(seed: seed)
        return try SegmentBuilder.build(documents: source.documents(count), packing: packing)
    }

    @Test(
        "Every segment the builder makes passes", arguments: [0, 1, 5, 200],
        [SegmentPacking.standard, .always, .withoutColumns])
    func sound(count: Int, packing: SegmentPacking) throws {
        let blob = try blob(count, packing: packing)
        try SegmentVerifier.verify(SharedBytes(blob.bytes), named: blob.name)
    }

    @Test("The advice on a segment is given once, and never to remove what another version wrote")
    func advice() {
        let newer = SegmentError.unknownVersion(99)
        #expect(!newer.isDamage)
        for text in ["\(newer)", "\(IndexError.segment(path: "s", newer))"] {
            #expect(text.contains("use the program that wrote it"))
            #expect(!text.contains("remove") && !text.contains("backup"), "\(text)")
        }
        let damaged: [SegmentError] = [
            .notASegment(count: 1), .damagedFooter, .missingSection(Section(.versions)),
            .damagedSection(Section(.versions), expected: 1, actual: 2),
            .malformedSection(Section(.versions), rule: "it ends"),
        ]
        for error in damaged {
            #expect(error.isDamage)
            for text in ["\(error)", "\(IndexError.segment(path: "s", error))"] {
                #expect(
                    text.split(separator: "backup", omittingEmptySubsequences: false).count == 2)
            }
            #expect("\(IndexError.segment(path: "s", error))".contains(IndexError.wayOut))
        }
    }

    @Test("A segment under another's name is refused")
    func misnamed() throws {
        let (blob, other) = (try blob(3), try blob(4))
        #expect(throws: SegmentError.misnamed(expected: other.name, actual: blob.name)) {
            try SegmentVerifier.verify(SharedBytes(blob.bytes), named: other.name)
        }
    }

    @Test(
        "Any flipped bit is found, even without knowing the name",
        arguments: [SegmentPacking.standard, .always, .withoutColumns])
    func flippedBits(packing: SegmentPacking) throws {
        let bytes = try blob(4, packing: packing).bytes
        var generator = SeededGenerator(seed: 5)
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            #expect(throws: SegmentError.self, "byte \(offset)") {
                try SegmentVerifier.verify(SharedBytes(damaged))
            }
        }
    }

    @Test("A segment cut short anywhere is refused when it is opened")
    func truncated() throws {
        let bytes = try blob(2).bytes
        for count in bytes.indices {
            #expect(throws: SegmentError.self, "\(count) bytes") {
                try Segment(SharedBytes(Array(bytes.prefix(count))), check: .footer)
            }
        }
    }

    @Test(
        "Contents that are wrong under right checksums are found or harmless, never a crash",
        arguments: [6, 7, 8], [SegmentPacking.standard, .always, .withoutColumns])
    func resealedDamage(seed: UInt64, packing: SegmentPacking) throws {
        let bytes = try blob(12, seed: seed, packing: packing).bytes
        var generator = SeededGenerator(seed: seed)
        var found = 0
        for _ in 0..<400 {
            var damaged = bytes
            let offset = Int.random(in: 8..<bytes.count - 32, using: &generator)
            damaged[offset] = UInt8.random(in: 0...255, using: &generator)
            let resealed = Self.resealed(damaged)
            do {
                try SegmentVerifier.verify(SharedBytes(resealed))
            } catch {
                found += 1
            }
        }
        #expect(found > 100)
    }

    /// Gives every section the checksum of its contents, as far as the table can be read.
    static func resealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let trailer = bytes.count - 32
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        func put(_ value: UInt64, at offset: Int) {
            for index in 0..<8 { bytes[offset + index] = UInt8(value >> (8 * index) & 0xFF) }
        }
        let count = number(trailer + 12, 4)
        let table = trailer - 32 * count
        for entry in stride(from: table, to: trailer, by: 32) where table > 0 {
            let (start, length) = (number(entry + 8, 6), number(entry + 16, 6))
            guard start <= table, length <= table - start else { continue }
            put(Hash.checksum(of: Array(bytes[start..<start + length])), at: entry + 24)
        }
        put(Hash.checksum(of: Array(bytes[max(0, table)..<trailer + 16])), at: trailer + 16)
        return bytes
    }
}
