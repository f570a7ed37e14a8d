import FresnelKernels
import Testing

@Suite("Blocks packed with a common dictionary")
struct BlockCompressionTests {
    /// Blocks of words, of which a few are common; each a little different.
    private static func blocks(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var state = seed
        func next(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33 % limit
        }
        return (0..<count).map { _ in
            let words = (0..<200 + next(100)).map { _ in "common-word-\(next(300))" }
            return Array(words.joined(separator: " ").utf8)
        }
    }

    private static func dictionary(of blocks: [[UInt8]]) -> [UInt8] {
        BlockCompression.dictionary(
            of: Array(blocks.joined()), lengths: blocks.map(\.count), capacity: 4096)
    }

    @Test("What is packed is unpacked, with a dictionary and without", arguments: [true, false])
    func roundTrip(hasDictionary: Bool) throws {
        let blocks = Self.blocks(64, seed: 7)
        let dictionary = hasDictionary ? Self.dictionary(of: blocks) : []
        #expect(dictionary.isEmpty != hasDictionary)
        #expect(dictionary == (hasDictionary ? Self.dictionary(of: blocks) : []))
        let compressor = BlockCompressor(dictionary: dictionary, level: 3)
        let made = BlockDecompressor(dictionary: dictionary.span)
        let decompressor = try #require(made)
        for block in blocks {
            var packed: [UInt8] = []
            compressor.append(block, to: &packed)
            #expect(packed.count < block.count)
            #expect(decompressor.unpacked(packed.span, count: block.count) == block)
        }
    }

    @Test("Cut blocks and wrong lengths give nothing, damaged ones that or as many bytes as wanted")
    func damage() throws {
        let block = Self.blocks(1, seed: 3)[0]
        let none: [UInt8] = []
        let made = BlockDecompressor(dictionary: none.span)
        let decompressor = try #require(made)
        var packed: [UInt8] = []
        BlockCompressor(dictionary: [], level: 3).append(block, to: &packed)
        #expect(decompressor.unpacked(packed.span, count: block.count - 1) == nil)
        #expect(decompressor.unpacked(packed.span, count: block.count + 1) == nil)
        var (refused, others) = (0, 0)
        for place in packed.indices {
            var damaged = packed
            damaged[place] ^= 0x55
            let unpacked = decompressor.unpacked(damaged.span, count: block.count)
            if let unpacked {
                #expect(unpacked.count == block.count)
                if unpacked != block { others += 1 }
            } else {
                refused += 1
            }
            let short = Array(packed.prefix(place))
            #expect(decompressor.unpacked(short.span, count: block.count) == nil)
        }
        // Both kinds of damage there are; and what unpacked them still unpacks what is whole.
        #expect(refused > 0 && others > 0, "\(refused) refused, \(others) other bytes")
        #expect(decompressor.unpacked(packed.span, count: block.count) == block)
    }

    @Test("Too few samples give no dictionary")
    func fewSamples() {
        #expect(Self.dictionary(of: Self.blocks(3, seed: 1)).isEmpty)
    }
}
