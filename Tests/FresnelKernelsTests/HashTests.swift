import FresnelKernels
import Testing

@Suite("Hashes")
struct HashTests {
    // The published results of xxHash 0.8 for the empty input and "abc".

    @Test("The routing hash is XXH64 with seed 0 over UTF-8, for ever")
    func routing() {
        #expect(Hash.routingHash(of: "") == 0xEF46_DB37_51D8_E999)
        #expect(Hash.routingHash(of: "abc") == 0x44BC_2CF5_AD77_0999)
    }

    @Test("Checksums are XXH3 with 64 bits")
    func checksum() {
        #expect(Hash.checksum(of: [UInt8]()) == 0x2D06_8005_38D3_94C2)
        #expect(Hash.checksum(of: Array("abc".utf8)) == 0x78AF_5F94_892F_3950)
        #expect(
            Hash.checksum(of: Array("abc".utf8), seed: 1)
                != Hash.checksum(of: Array("abc".utf8)))
    }

    @Test("Digests are XXH3 with 128 bits, written high half first")
    func digest() {
        #expect("\(Hash.digest(of: [UInt8]()))" == "99aa06d3014798d86001c324468d497f")
        #expect("\(Hash.digest(of: Array("abc".utf8)))" == "06b05ab6733a618578af5f94892f3950")
    }

    @Test(
        "The next link of a chain is the digest of the former one's bytes and what follows",
        arguments: [0, 1, 16, 5000])
    func chain(length: Int) {
        var generator = TestGenerator(seed: UInt64(length))
        let bytes = generator.bytes(count: length)
        let former = Hash128(high: 0x0102_0304_0506_0708, low: 0x1112_1314_1516_1718)
        let halves: [UInt8] = Array(1...8) + Array(0x11...0x18)
        #expect(Hash.digest(of: former, then: bytes.span) == Hash.digest(of: halves + bytes))
    }

    @Test("A hash is read back from its digits, and from nothing else")
    func hexadecimal() {
        let hash = Hash128(high: 0x0123, low: 0xFFFF_0000_0000_0001)
        #expect(Hash128(hexadecimal: hash.description) == hash)
        #expect(Hash128(hexadecimal: "0123") == nil)
        #expect(Hash128(hexadecimal: String(repeating: "g", count: 32)) == nil)
    }

    @Test("Pieces hash as their sum", arguments: [0, 1, 3, 16, 240, 241, 1024, 5000])
    func streaming(length: Int) {
        var generator = TestGenerator(seed: UInt64(length))
        let bytes = generator.bytes(count: length)
        var hash = StreamingHash()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...300, using: &generator))
            hash.update(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(hash.digest() == Hash.digest(of: bytes))
    }

    @Test("Numbers and text are fed as their little-endian bytes and UTF-8")
    func typed() {
        var hash = StreamingHash()
        hash.update(UInt64(0x0102))
        hash.update("ä")
        #expect(hash.digest() == Hash.digest(of: [2, 1, 0, 0, 0, 0, 0, 0, 0xC3, 0xA4]))
    }
}
