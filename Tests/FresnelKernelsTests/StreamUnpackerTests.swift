import FresnelKernels
import Testing

@Suite("Compressed streams")
struct StreamUnpackerTests {
    /// "hello\n" packed by gzip, without a name and time.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 2, 0, 0x20, 0x30,
        0x3A, 0x36, 6, 0, 0, 0,
    ]

    private static var zstd: [UInt8] {
        var bytes: [UInt8] = []
        BlockCompressor(dictionary: [], level: 3).append(Array("hello\n".utf8), to: &bytes)
        return bytes
    }

    private static func packed(_ form: StreamUnpacker.Form) -> [UInt8] {
        form == .gzip ? gzip : zstd
    }

    /// Everything that comes out, when so many bytes go in and come out at once.
    private static func unpacked(
        _ bytes: [UInt8], _ form: StreamUnpacker.Form, input: Int, output: Int
    ) throws -> (bytes: [UInt8], isAtEnd: Bool) {
        let unpacker = StreamUnpacker(form)
        var (out, position): ([UInt8], Int) = ([], 0)
        while true {
            let piece = Array(bytes[..<min(bytes.count, position + input)])
            let step = try unpacker.unpack(piece, from: position, limit: output)
            #expect(step.bytes.count <= output)
            position += step.taken
            out += step.bytes
            if step.taken == 0, step.bytes.isEmpty { return (out, unpacker.isAtEnd) }
        }
    }

    @Test(
        "Members one behind the other are one stream, however they are cut",
        arguments: StreamUnpacker.Form.allCases, [1, 2, 7, 1000])
    func members(form: StreamUnpacker.Form, size: Int) throws {
        let one = Self.packed(form)
        #expect(one.starts(with: form.mark))
        let read = try Self.unpacked(one + one + one, form, input: size, output: size)
        #expect(String(decoding: read.bytes, as: UTF8.self) == "hello\nhello\nhello\n")
        #expect(read.isAtEnd)
    }

    @Test("A stream that is cut short is not at its end", arguments: StreamUnpacker.Form.allCases)
    func cut(form: StreamUnpacker.Form) throws {
        let one = Self.packed(form)
        for count in 1..<one.count {
            let read = try Self.unpacked(Array(one[..<count]), form, input: 100, output: 100)
            #expect(!read.isAtEnd, "\(count) of \(one.count) bytes")
        }
        let second = try Self.unpacked(one + one.dropLast(3), form, input: 100, output: 100)
        #expect(!second.isAtEnd)
    }

    @Test("Zeros behind a gzip stream are filling, other bytes are damage")
    func trailing() throws {
        let filled = Self.gzip + [0, 0, 0]
        #expect(try Self.unpacked(filled, .gzip, input: 100, output: 100).isAtEnd)
        #expect(throws: StreamUnpacker.Damage.self) {
            try Self.unpacked(Self.gzip + [7, 7, 7], .gzip, input: 100, output: 100)
        }
    }

    @Test("A byte that was changed is damage, or what came out is the same")
    func damage() {
        for place in 10..<Self.gzip.count {
            var bytes = Self.gzip
            bytes[place] ^= 0x41
            // It may look as if the stream went on.
            let read = try? Self.unpacked(bytes, .gzip, input: 100, output: 100)
            #expect(read.map { !$0.isAtEnd } ?? true, "byte \(place)")
        }
    }
}
