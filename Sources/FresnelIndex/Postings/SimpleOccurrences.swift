// Most terms of a catalogue occur in one attribute that has one text a document. Their occurrences
// are positions and nothing else, as LEB128 integers: the first, then each as its distance from the
// least it could be. In a block of 128 documents lengths say where each document's end; in the
// last, shorter one each integer is doubled, and its lowest bit says whether another follows. A
// term that stands once in a document takes one byte there, mostly.

/// The occurrences of a list in the first element of one attribute.
enum SimpleOccurrences {
    /// Positions a simple list can have: doubled, they fit into 32 bits.
    static let positionLimit: UInt32 = .max >> 1

    /// Finds where the positions of each document of a tail end: behind an even integer.
    static func findEnds(
        _ bytes: Span<UInt8>, from start: Int, count: Int, into ends: inout MutableSpan<UInt32>
    ) {
        var offset = start
        for place in 0..<count {
            var hasMore = true
            while hasMore, offset < bytes.count {
                hasMore = bytes[offset] & 1 == 1
                while offset < bytes.count, bytes[offset] >= 0x80 { offset &+= 1 }
                offset &+= 1
            }
            ends[place] = UInt32(truncatingIfNeeded: min(offset, bytes.count))
        }
    }
}
