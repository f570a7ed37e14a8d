/// Numbers of 64 bits, packed, each to be had alone.
///
/// Where things begin is looked up here, many times a query, so frames are read by their addresses;
/// and a class, so that taking it along counts one reference.
@safe
final class FramedNumbers: @unchecked Sendable {
    // Sendable because what the addresses point to never changes and lives as long as the arrays.

    let count: Int
    /// The least number of each frame.
    let bases: PackedArray<UInt64>
    /// The first word of each frame, and behind the last; a frame has two words for each bit of
    /// width.
    let starts: PackedArray<UInt32>
    let words: PackedArray<UInt64>
    /// What the arrays hold; nil for no numbers.
    private let frames: Addresses?

    @safe
    private struct Addresses {
        let bases: UnsafePointer<UInt64>
        let starts: UnsafePointer<UInt32>
        let words: UnsafePointer<UInt64>
        let wordCount: Int
    }

    static let frameLength = 128

    /// No numbers.
    init() {
        count = 0
        (bases, starts, words) = (PackedArray(), PackedArray(), PackedArray())
        frames = nil
    }

    static func frameCount(_ count: Int) -> Int { (count + frameLength - 1) / frameLength }

    init(_ reader: inout SectionReader, count: Int) throws(SegmentError) {
        self.count = count
        let frames = Self.frameCount(count)
        bases = try reader.array(count: frames)
        starts = try reader.array(count: frames + 1)
        let wordCount = try reader.count()
        words = try reader.array(count: wordCount)
        guard count > 0, let bases = unsafe bases.unsafeElements,
            let starts = unsafe starts.unsafeElements, let words = unsafe words.unsafeElements
        else {
            self.frames = nil
            return
        }
        self.frames = unsafe Addresses(
            bases: bases, starts: starts, words: words, wordCount: wordCount)
    }

    /// A frame's least number, its first word and its width; no width where its words are not
    /// there.
    @inline(__always)
    private static func frame(
        _ number: Int, _ frames: Addresses
    ) -> (base: UInt64, word: Int, width: Int) {
        // The caller's index is below the count, and the arrays have as many frames as that needs.
        let base = unsafe frames.bases[number]
        let start = unsafe Int(frames.starts[number])
        let end = unsafe Int(frames.starts[number &+ 1])
        guard start <= end, end <= frames.wordCount else { return (base, 0, 0) }
        return (base, start, (end &- start) &>> 1)
    }

    /// One number; `index` is in 0..<`count`.
    subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count, "number \(index) of \(count)")
        guard let frames else { return 0 }
        let (base, first, width) = Self.frame(index / Self.frameLength, frames)
        guard width > 0 else { return base }
        guard width <= 64 else { return 0 }  // damaged
        let bit = (index & (Self.frameLength - 1)) &* width
        let shift = UInt64(truncatingIfNeeded: bit & 63)
        // 128 numbers of this width are two words for each of its bits, which `frame` has found.
        let word = unsafe frames.words + first + bit >> 6
        var value = unsafe word[0] &>> shift
        if Int(shift) &+ width > 64 { value |= unsafe word[1] &<< (64 &- shift) }
        if width < 64 { value &= (1 &<< UInt64(width)) &- 1 }
        return base &+ value
    }

    /// A number and the next; `index` + 1 is below `count`.
    @inline(__always)
    func pair(_ index: Int) -> (UInt64, UInt64) {
        precondition(index >= 0 && index < count &- 1, "numbers from \(index) of \(count)")
        let place = index & (Self.frameLength - 1)
        // Mostly both lie in one frame, and in the same word or the next.
        guard place &+ 1 < Self.frameLength, let frames else {
            return (self[index], self[index + 1])
        }
        let (base, first, width) = Self.frame(index / Self.frameLength, frames)
        guard width > 0 else { return (base, base) }
        guard width <= 32 else { return (self[index], self[index + 1]) }
        let bit = place &* width
        let shift = UInt64(truncatingIfNeeded: bit & 63)
        // As above.
        let word = unsafe frames.words + first + bit >> 6
        var value = unsafe word[0] &>> shift
        if Int(shift) &+ 2 &* width > 64 { value |= unsafe word[1] &<< (64 &- shift) }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        return (base &+ value & mask, base &+ (value &>> UInt64(width)) & mask)
    }
}
