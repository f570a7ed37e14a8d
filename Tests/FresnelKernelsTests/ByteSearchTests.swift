import FresnelKernels
import Testing

/// Every offset, found by trying each.
private func plainOffsets(of needle: [UInt8], in haystack: [UInt8]) -> [UInt32] {
    guard needle.count <= haystack.count else { return [] }
    return (0...haystack.count - needle.count)
        .filter { haystack[$0..<$0 + needle.count].elementsEqual(needle) }
        .map(UInt32.init)
}

@Suite("Substring search")
struct ByteSearchTests {
    @Test("Every occurrence is found, overlapping ones too", arguments: 1...60)
    func random(seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        // Two letters only: occurrences and near misses are common.
        let length = Int.random(in: 0...120, using: &generator)
        let haystack = generator.bytes(count: length, from: 97...98)
        for needleLength in [0, 1, 2, 3, 5, 17] {
            let needle = generator.bytes(count: needleLength, from: 97...98)
            var offsets: [UInt32] = []
            var position = 0
            while let found = ByteSearch.firstOffset(
                of: needle.span, in: haystack.span, from: position)
            {
                offsets.append(UInt32(found))
                position = found + 1
            }
            #expect(offsets == plainOffsets(of: needle, in: haystack), "seed \(seed)")
            #expect(
                ByteSearch.firstOffset(of: needle.span, in: haystack.span)
                    == offsets.first.map(Int.init))
        }
    }

    @Test("Searching from an offset skips what lies before", arguments: [-3, 0, 1, 4, 8, 9, 99])
    func from(start: Int) {
        let haystack = Array("abcabcabc".utf8)
        let needle = Array("abc".utf8)
        let expected = [0, 3, 6].first { $0 >= start }
        let found = ByteSearch.firstOffset(of: needle.span, in: haystack.span, from: start)
        #expect(found == expected)
    }

    @Test("From any start the next occurrence is found, none beyond the ends", arguments: 1...12)
    func everyStart(seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        for needleLength in [1, 2, 4, 15, 16, 17, 33] {
            let needle = generator.bytes(count: needleLength, from: 97...98)
            var text = generator.bytes(
                count: Int.random(in: 0...60, using: &generator), from: 97...98)
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let place = Int.random(in: 0...text.count, using: &generator)
                text.insert(contentsOf: needle, at: place)
            }
            // The needle ends before the text and begins behind it, too, and reaches into it.
            let bytes = needle + text + needle
            let haystack = bytes.span.extracting(needleLength..<needleLength + text.count)
            let offsets = plainOffsets(of: needle, in: text)
            for start in -1...text.count + 2 {
                let found = ByteSearch.firstOffset(of: needle.span, in: haystack, from: start)
                #expect(
                    found == offsets.first { $0 >= start }.map(Int.init),
                    "seed \(seed): \(needle) in \(text) from \(start)")
            }
        }
    }
}

@Suite("Scans of bytes")
struct ByteScanTests {
    @Test("One byte at any place decides, none beyond the ends", arguments: 0...200)
    func everyPlace(count: Int) {
        var generator = TestGenerator(seed: UInt64(count))
        let ends: [UInt8] = [0, 128, 255, 0]
        var bytes = ends + generator.bytes(count: count, from: 1...127) + ends.reversed()
        let inside = ends.count..<ends.count + count
        func check(_ place: Int) {
            let part = bytes.span.extracting(inside)
            let (hasZero, isASCII) = (ByteSearch.hasZero(part), ByteSearch.isASCII(part))
            #expect(hasZero == bytes[inside].contains(0), "\(bytes[inside]), \(place)")
            #expect(isASCII == bytes[inside].allSatisfy { $0 < 128 }, "\(bytes[inside]), \(place)")
        }
        check(-1)
        for place in inside {
            let former = bytes[place]
            for value in [0, 128, 255] as [UInt8] {
                bytes[place] = value
                check(place)
            }
            bytes[place] = former
        }
    }
}

@Suite("String tables")
struct StringTableTests {
    private static let words = ["", "a", "aa", "ab", "abc", "b", "ba", "z", "zz", "ä"]

    private static func table() -> (offsets: [UInt32], blob: [UInt8]) {
        var offsets: [UInt32] = [0]
        var blob: [UInt8] = []
        for word in words {
            blob += Array(word.utf8)
            offsets.append(UInt32(blob.count))
        }
        return (offsets, blob)
    }

    @Test(
        "Bounds and prefix ranges agree with a plain scan",
        arguments: words + ["aaa", "abcd", "c", "zzz", "Z", "\u{10FFFF}"])
    func bounds(key: String) {
        let (offsets, blob) = Self.table()
        let table = StringTable(offsets: offsets.span, blob: blob.span)
        let bytes = Array(key.utf8)
        func precedes(_ word: String) -> Bool { word.utf8.lexicographicallyPrecedes(bytes) }
        let lower = Self.words.filter(precedes).count
        let equal = Self.words.filter { $0 == key }.count
        #expect(table.lowerBound(bytes.span) == lower)
        #expect(table.range(of: bytes.span) == lower..<lower + equal)
        #expect(table.index(of: bytes.span) == (equal == 1 ? lower : nil))
        let withPrefix = Self.words.indices.filter { Self.words[$0].utf8.starts(with: bytes) }
        #expect(Array(table.range(withPrefix: bytes.span)) == withPrefix)
    }

    @Test("An empty table has nothing", arguments: [[], [0]] as [[UInt32]])
    func empty(offsets: [UInt32]) {
        let blob: [UInt8] = []
        let table = StringTable(offsets: offsets.span, blob: blob.span)
        #expect(table.count == 0)
        #expect(table.range(withPrefix: blob.span) == 0..<0)
    }

    @Test("Damaged offsets give answers, not crashes")
    func damaged() {
        let offsets: [UInt32] = [9, 3, 4_000_000_000, 0]
        let blob: [UInt8] = [1, 2, 3]
        let table = StringTable(offsets: offsets.span, blob: blob.span)
        for index in 0..<table.count { #expect(table[index].count == 0) }
        #expect(table.lowerBound(([2] as [UInt8]).span) == 3)
    }
}
