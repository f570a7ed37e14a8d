import FresnelJournal
import FresnelKernels
import FresnelModel
import FresnelSystem
import Testing

/// The format of version 1, byte by byte, as Documentation/file-formats.md describes it.
///
/// The file is never rewritten: journals of version 1 stay readable for ever.
@Suite("The journal's file format")
struct JournalGoldenTests {
    private static let records = [
        JournalRecord(
            sequence: SequenceNumber(5), previous: .zero, client: UInt128(0x0102) << 64 | 0x0304,
            batch: 9, body: Array("abc".utf8)),
        JournalRecord(
            sequence: SequenceNumber(8), previous: SequenceNumber(5), kind: .empty, client: 1,
            batch: 10, body: []),
    ]

    /// The lines of the golden file, without comments.
    private static func golden() throws -> [UInt8] {
        let path = goldenPath
        let text = String(decoding: try DiskStorage().read(path), as: UTF8.self)
        let digits = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    private static var goldenPath: String {
        let tests = FilePath.directory(of: FilePath.directory(of: #filePath))
        return tests + "/Golden/journal/v1/two-records.hex"
    }

    @Test("Two records are written exactly as the golden file")
    func writing() throws {
        let bench = JournalBench()
        try bench.open().write(Self.records)
        #expect(try bench.files() == ["/shard/journal-00000000000000000005.fj"])
        let written = try bench.storage.read(try bench.files()[0])
        #expect(try written == Self.golden(), "\(Self.hexadecimal(written))")
    }

    @Test("The golden file is read as two records")
    func reading() throws {
        let bench = JournalBench(seed: 99)
        bench.storage.place(
            try Self.golden(), at: "/shard/journal-00000000000000000005.fj")
        #expect(try bench.readAll().records == Self.records)
    }

    @Test("Another version of the format is refused by its number")
    func version() throws {
        let bench = JournalBench()
        bench.storage.place(try Self.otherVersion(), at: "/shard/journal-00000000000000000005.fj")
        let error = #expect(throws: JournalError.self) { try bench.open() }
        #expect(
            error == .unsupportedVersion(file: "/shard/journal-00000000000000000005.fj", version: 2)
        )
    }

    /// The golden file with version 2 and a right checksum.
    private static func otherVersion() throws -> [UInt8] {
        var bytes = try golden()
        bytes[8] = 2
        let checksum = Hash.checksum(of: Array(bytes[..<56]))
        for position in 0..<8 {
            bytes[56 + position] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * position))
        }
        return bytes
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        var text = ""
        for (offset, byte) in bytes.enumerated() {
            if offset % 16 == 0 { text += "\n" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16) + " "
        }
        return text
    }
}
