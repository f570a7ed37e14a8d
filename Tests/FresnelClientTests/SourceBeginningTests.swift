import FresnelClient
import FresnelModel
import Testing

@Suite("How sources begin")
struct SourceBeginningTests {
    /// `id,title\n1,Tea\n`, packed by `gzip -n`.
    static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x4C, 0xD1, 0x29, 0xC9, 0x2C, 0xC9, 0x49, 0xE5,
        0x32, 0xD4, 9, 0x49, 0x4D, 0xE4, 2, 0, 0x69, 0x23, 0x26, 0x77, 15, 0, 0, 0,
    ]

    private static func read(_ bytes: [UInt8], _ format: ImportFormat) throws -> [ImportRecord] {
        let reader = try ImportReader(
            .bytes(bytes, name: "test"), options: ImportOptions(format: format))
        var records: [ImportRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    @Test("A packed file is read as what is in it, also of several members")
    func packed() throws {
        let read = try Self.read(Self.gzip, .csv)
        #expect(read.map { $0.document?.uniqueIdentifier } == ["1"])
        let twice = try Self.read(Self.gzip + Self.gzip, .csv)
        #expect(twice.count == 3, "the second header is a row: \(twice)")
    }

    @Test("A file that is packed twice is named as that, instead of read as text")
    func packedTwice() {
        let twice: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x93, 0xEF, 0xE6, 0x60, 0, 3, 0xE6, 0xD3, 0x3E,
            0x17, 0x35, 0x4F, 0xEA, 0x9C, 0xF4, 0x7C, 0x6A, 0x74, 0x85, 0xD3, 0xD3, 0xF7, 9,
            0x13, 0x43, 0xA6, 0xB2, 0x5A, 0x39, 0x3F, 0x50, 6, 0, 0x64, 0x53, 0x72, 0xF0, 0x23,
            0, 0, 0,
        ]
        for format in ImportFormat.allCases {
            let error = #expect(throws: SearchError.self) { try Self.read(twice, format) }
            #expect(error?.message.contains("packed twice") ?? false, "\(format)")
        }
    }

    @Test("Of a packed file that is cut short everything before is read, and an error says so")
    func cut() throws {
        let reader = try ImportReader(
            .bytes(Array(Self.gzip.dropLast(4)), name: "test"),
            options: ImportOptions(format: .csv))
        #expect(try reader.next()?.document?.uniqueIdentifier == "1")
        let error = #expect(throws: SearchError.self) { _ = try reader.next() }
        #expect(error?.message.contains("cut short") ?? false, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "What is no text is named with what to do",
        arguments: [
            ([0xFF, 0xFE, 0x69, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x69], "UTF-16"),
            ([0x69, 0, 0x64, 0, 0x2C, 0], "UTF-16"), ([0x50, 0x4B, 3, 4, 0], "xlsx"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "save the sheet"),
            (Array("SQLite format 3\0x".utf8), "sqlite3"), (Array("PAR1xyz".utf8), "Parquet"),
            (Array("BZh91AY".utf8), "bzip2 -dc"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz -dc"),
            ([0xFF, 0xFE, 0, 0, 0x69, 0, 0, 0], "UTF-32"),
            ([4, 0x22, 0x4D, 0x18, 0x64], "lz4 -dc"),
            (Array("\n<!DOCTYPE html>".utf8), "HTML"), (Array("<?xml version".utf8), "XML"),
        ] as [([UInt8], String)])
    func strangers(bytes: [UInt8], advice: String) {
        for format in ImportFormat.allCases {
            let error = #expect(throws: SearchError.self) { try Self.read(bytes, format) }
            #expect(
                error?.message.contains(advice) ?? false, "\(format): \(String(describing: error))")
        }
    }

    @Test("A table that is read as JSON is refused with the option for it, once")
    func table() throws {
        let read = try Self.read(Array("id,title\n1,Tea\n".utf8), .ndjson)
        #expect(read.count == 2)
        #expect(read[0].refusal?.reason.contains("--format csv") ?? false, "\(read)")
        #expect(!(read[1].refusal?.reason.contains("--format csv") ?? true), "\(read)")
    }

    @Test(
        "A file's name says its format, in front of how it is packed",
        arguments: [
            ("a.csv.gz", .csv), ("a.tsv", .csv), ("a.jsonl.zst", .ndjson), ("Packages.gz", .deb822),
            ("a.gz", nil),
        ] as [(String, ImportFormat?)])
    func names(name: String, format: ImportFormat?) {
        #expect(ImportFormat(namedBy: name) == format)
    }
}
