/// Reads the occurrences of one document.
@safe
struct OccurrenceReader {
    private let bytes: UnsafeRawPointer
    private let count: Int
    private var offset = 0
    private var former = Occurrence(attribute: 0, element: 0, position: 0)
    private var isFirst = true
    private let isSimple: Bool
    /// What simple positions are shifted by.
    private let shift: UInt32

    /// `count` bytes are there, and stay there while this is used.
    ///
    /// - Parameters:
    ///   - simple: the attribute of a simple list.
    ///   - isTail: whether the block has fewer than 128 documents.
    @unsafe
    init(_ bytes: UnsafeRawPointer, count: Int, simple: AttributeOrdinal?, isTail: Bool) {
        unsafe self.bytes = bytes
        self.count = count
        isSimple = simple != nil
        shift = isTail ? 1 : 0
        former.attribute = simple ?? 0
    }

    /// The next occurrence, or nil at the end; damaged bytes give wrong numbers.
    @inline(__always)
    mutating func next() -> Occurrence? {
        guard offset < count else { return nil }
        let head = integer()
        if isSimple {
            former.position = isFirst ? head &>> shift : former.position &+ 1 &+ head &>> shift
            isFirst = false
            return former
        }
        if head & 1 == 0 {
            former.position = former.position &+ 1 &+ head >> 1
            return former
        }
        let step = AttributeOrdinal(truncatingIfNeeded: head >> 2)
        let isNew = isFirst || step > 0
        isFirst = false
        former.attribute = former.attribute &+ step
        former.element =
            head & 2 != 0
            ? UInt16(truncatingIfNeeded: integer()) : isNew ? 0 : former.element &+ 1
        former.position = integer()
        return former
    }

    @inline(__always)
    private mutating func integer() -> UInt32 {
        guard offset < count else { return 0 }
        // Below `count`, as the line before says.
        let first = unsafe UInt32(bytes.load(fromByteOffset: offset, as: UInt8.self))
        offset &+= 1
        return first < 0x80 ? first : longInteger(first & 0x7F)
    }

    /// The rest of an integer of several bytes.
    private mutating func longInteger(_ first: UInt32) -> UInt32 {
        var value = first
        var shift: UInt32 = 7
        while offset < count {
            // Below `count`, as the loop says.
            let byte = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
            offset &+= 1
            value |= UInt32(byte & 0x7F) &<< shift
            shift &+= 7
            if byte < 0x80 || shift > 28 { break }
        }
        return value
    }
}

/// Reads the positions of one document of a simple list of bits.
@safe
struct PositionReader {
    private let bytes: UnsafeRawPointer
    private let run: PositionRun
    private var place: Int
    private let end: Int
    /// The last one read; before the first, what the next number is added to as to any other.
    private var occurrence: Occurrence

    /// The run has as many numbers as `places` end at; its memory stays while this is used.
    @unsafe
    init(
        _ bytes: UnsafeRawPointer, _ run: PositionRun, _ places: Range<Int>,
        of attribute: AttributeOrdinal
    ) {
        unsafe self.bytes = bytes
        self.run = run
        (place, end) = (places.lowerBound, places.upperBound)
        occurrence = Occurrence(attribute: attribute, element: 0, position: .max)
    }

    /// The next occurrence, or nil at the end; damaged bytes give wrong numbers.
    @inline(__always)
    mutating func next() -> Occurrence? {
        guard place < end else { return nil }
        _ = position()
        return occurrence
    }

    /// The position of the next occurrence; the greatest number at the end, which is none.
    @inline(__always)
    mutating func position() -> UInt32 {
        guard place < end else { return .max }
        // Below the end, as the line before says. What was before the first wraps to nothing.
        occurrence.position = unsafe occurrence.position &+ 1 &+ run.number(bytes, place)
        place &+= 1
        return occurrence.position
    }
}
