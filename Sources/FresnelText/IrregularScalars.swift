// Words are cut on the original text, comparisons are made on the folded one. For nearly every
// character both agree what is a word character. Some dozens of compatibility characters do not:
// ™ is a separator, but folds to the letters "tm", so "kindletm" finds "Kindle™" although no token
// says so. A document with such a character is decided by its own text, not by its tokens.

/// The characters that fold, without diacritics, to characters of another class.
package enum IrregularScalars {
    /// Whether a character is a separator, word character or character of a script without spaces,
    /// and folds to nothing or to something that is not.
    package static func contains(_ scalar: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].1 < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].0 <= scalar
    }

    /// First and last scalars, ascending; a test compares them with the folding of every scalar.
    private static let ranges: [(UInt32, UInt32)] = [
        (0xBC, 0xBE), (0x13F, 0x140), (0x149, 0x149), (0x37A, 0x37A), (0x115F, 0x1160),
        (0x20A8, 0x20A8), (0x2100, 0x2101), (0x2103, 0x2103), (0x2105, 0x2106), (0x2109, 0x2109),
        (0x2116, 0x2116), (0x2120, 0x2122), (0x213B, 0x213B), (0x2150, 0x215F), (0x2189, 0x2189),
        (0x2474, 0x24E9), (0x2E9F, 0x2E9F), (0x2EF3, 0x2EF3), (0x2F00, 0x2FD5), (0x3164, 0x3164),
        (0x3192, 0x319F), (0x3200, 0x321E), (0x3220, 0x3247), (0x3250, 0x3250), (0x3260, 0x327E),
        (0x3280, 0x32B0), (0x32C0, 0x33FF), (0xFC5E, 0xFC63), (0xFCF2, 0xFCF4), (0xFDFA, 0xFDFC),
        (0xFE70, 0xFE72), (0xFE74, 0xFE74), (0xFE76, 0xFE7F), (0xFFA0, 0xFFA0), (0x1F100, 0x1F10A),
        (0x1F110, 0x1F12E), (0x1F130, 0x1F14F), (0x1F16A, 0x1F16C), (0x1F190, 0x1F190),
        (0x1F200, 0x1F202), (0x1F210, 0x1F23B), (0x1F240, 0x1F248), (0x1F250, 0x1F251),
    ]

    /// Whether UTF-8 text, or bytes with text among them, has such a character.
    ///
    /// Bytes that are no text may be mistaken for one; a character is never missed.
    package static func occur(in bytes: Span<UInt8>) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset &+ blockLength)
            if isASCII(bytes.extracting(offset..<end)) {
                offset = end
            } else if occur(in: bytes, at: &offset, before: end) {
                return true
            }
        }
        return false
    }

    /// Bytes that are looked at together: most are below 128.
    private static let blockLength = 32

    @inline(__always)
    private static func isASCII(_ bytes: Span<UInt8>) -> Bool {
        var sum: UInt8 = 0
        for index in bytes.indices { sum |= bytes[index] }
        return sum < 0x80
    }

    /// Whether such a character begins before `end`; moves `offset` behind what was looked at.
    private static func occur(
        in bytes: Span<UInt8>, at offset: inout Int, before end: Int
    ) -> Bool {
        while offset < end {
            let lead = bytes[offset]
            offset += 1
            guard lead >= 0xC2, lead < 0xF1 else { continue }
            let length = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
            guard offset + length <= bytes.count else { continue }
            var scalar = UInt32(lead) & (0x3F &>> UInt32(length))
            for step in 0..<length { scalar = scalar << 6 | UInt32(bytes[offset + step] & 0x3F) }
            if contains(scalar) { return true }
        }
        return false
    }
}
