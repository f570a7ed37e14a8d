import FresnelKernels
import FresnelModel
import FresnelSnapshot
import FresnelSystem
import Testing

/// The formats of a store, byte by byte, as Documentation/file-formats.md describes them.
@Suite("The snapshot's manifest")
struct SnapshotManifestTests {
    private static func golden() throws -> [UInt8] {
        let tests = FilePath.directory(of: FilePath.directory(of: #filePath))
        let path = tests + "/Golden/snapshot/v1/one-index.hex"
        let text = String(decoding: try DiskStorage().read(path), as: UTF8.self)
        let digits = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    private static func read(_ bytes: [UInt8]) throws(SnapshotError) -> SnapshotManifest {
        try SnapshotManifest(decoding: bytes, object: "snapshots/monday", store: "/store")
    }

    @Test("A manifest is written and read exactly as the golden file of version 1")
    func golden() throws {
        let (manifest, _) = try SnapshotSamples.snapshot("monday", files: 2)
        let encoded = manifest.encoded
        #expect(encoded == (try Self.golden()), "\(Self.hexadecimal(encoded))")
        #expect(try Self.read(encoded) == manifest)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }

    @Test("A flipped bit or a cut anywhere is found out, and nothing crashes")
    func damage() throws {
        let (manifest, _) = try SnapshotSamples.snapshot("monday", files: 2)
        let whole = manifest.encoded
        for place in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[place] ^= 1 << UInt8(bit)
                #expect(throws: SnapshotError.self) { try Self.read(bytes) }
            }
            #expect(throws: SnapshotError.self) { try Self.read(Array(whole[..<place])) }
        }
    }

    @Test("A manifest of a later version says which one, and what to do")
    func future() throws {
        let (manifest, _) = try SnapshotSamples.snapshot("monday", files: 1)
        var bytes = manifest.encoded
        bytes[8] = 9
        let error = #expect(throws: SnapshotError.self) { try Self.read(bytes) }
        #expect(
            error
                == .version(object: "snapshots/monday", store: "/store", found: 9, known: 1))
        #expect(error?.description.contains("use a newer fresnel") == true)
    }

    @Test(
        "A place is a directory by its whole path or a bucket, and else refused",
        arguments: [
            ("/mnt/backup", true), ("file:///mnt/backup", true), ("s3://backups", true),
            ("s3://backups/a/b_c.d-E", true), ("mnt", false), ("", false), ("/mnt/../x", false),
            ("s3://", false), ("s3://UPPER/x", false), ("s3://ab", false),
            ("s3://backups/a b", false), ("s3://backups/../x", false), ("/a\nb", false),
        ])
    func places(text: String, isGood: Bool) {
        do throws(SnapshotError) {
            _ = try StoreLocation(text)
            #expect(isGood)
        } catch {
            #expect(!isGood && error.isUsage)
        }
    }
}
