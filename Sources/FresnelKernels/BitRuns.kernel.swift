// Numbers of any width one behind the other, from the lowest bit of the first byte on. Eight bytes
// from the byte of a number's first bit hold at least 57 bits of it, so a number of at most 56 bits
// is one load, one shift and one mask. Whoever reads keeps eight bytes behind the last number.

/// Numbers in a run of bits.
package enum BitRuns {
    /// Bytes that must follow the last number.
    package static let padding = 8
    /// The widest number in bits.
    package static let widthLimit = 56

    /// The bits from a place on, at least 57 of them; the byte of the place and seven more are
    /// there.
    @inline(__always)
    static func word(_ bytes: UnsafeRawPointer, _ bit: Int) -> UInt64 {
        unsafe bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
            &>> UInt64(truncatingIfNeeded: bit & 7)
    }

    /// One number; nil where it or the eight bytes from its first on are not there.
    ///
    /// - Parameters:
    ///   - bit: where it begins.
    ///   - width: its bits, 0...56.
    package static func number(_ bytes: Span<UInt8>, at bit: Int, width: Int) -> UInt64? {
        guard bit >= 0, bit &>> 3 <= bytes.count - padding, width >= 0, width <= widthLimit else {
            return nil
        }
        let word = unsafe bytes.withUnsafeBytes { buffer -> UInt64? in
            guard let start = buffer.baseAddress else { return nil }
            // Eight bytes are there, as was checked above.
            return unsafe Self.word(start, bit)
        }
        return word.map { $0 & ((1 &<< UInt64(width)) &- 1) }
    }
}

/// Writes numbers into a run of bits.
package struct BitRunWriter {
    /// The bytes so far, the last one filled up with zeros.
    package private(set) var bytes: [UInt8] = []
    /// Bits of the last byte that are free.
    private var free = 0

    package init() {}

    /// Appends the lowest `width` bits of a number, 0...64.
    package mutating func append(_ number: UInt64, width: Int) {
        var rest = width < 64 ? number & ((1 << UInt64(width)) - 1) : number
        var left = width
        while left > 0 {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            let taken = min(free, left)
            bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: rest << UInt64(8 - free))
            rest >>= UInt64(taken)
            free -= taken
            left -= taken
        }
    }

    /// Leaves no bit of the last byte free.
    package mutating func align() { free = 0 }

    /// Begins anew, in the same memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        free = 0
    }
}
