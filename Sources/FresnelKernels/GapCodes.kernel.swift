// Gaps of short lists. Most lists have few documents, near one another where a catalogue is sorted
// and far apart elsewhere: a width for all would be that of the greatest. A number of order k is
// written with 2^k added: as many zeros as that sum has bits above k, a one, and then the bits of
// the sum below its highest.
//
// Source: exponential Golomb codes, J. Teuhola, "A compression method for clustered bit-vectors"
// (1978). The order is one of four, whichever gives the shortest list.

/// Numbers below 2^24 as exponential Golomb codes.
package enum GapCodes {
    /// Every number is below this.
    package static let limit: UInt32 = 1 << 24
    /// The bits of the greatest sum of a number and two to its order, less one.
    private static let widthLimit = 24

    /// The order that a choice of 0...3 names: 0, 6, 11 or 16.
    @inline(__always)
    package static func order(ofChoice choice: UInt8) -> Int {
        Int(0x100B_0600 as UInt32 &>> (UInt32(choice & 3) &* 8) & 0xFF)
    }

    /// The choice that makes some numbers the shortest; of equals the least.
    package static func choice(for numbers: [UInt32]) -> UInt8 {
        var best: (choice: UInt8, count: Int) = (0, .max)
        for choice in 0..<4 as Range<UInt8> {
            let order = order(ofChoice: choice)
            let count = numbers.reduce(0) { $0 + bitCount($1, order: order) }
            if count < best.count { best = (choice, count) }
        }
        return best.choice
    }

    /// The bits of a number.
    package static func bitCount(_ number: UInt32, order: Int) -> Int {
        2 * width(number, order) - order + 1
    }

    private static func width(_ number: UInt32, _ order: Int) -> Int {
        63 - (UInt64(number) + 1 << UInt64(order)).leadingZeroBitCount
    }

    /// Appends a number below the limit.
    package static func append(_ number: UInt32, order: Int, to writer: inout BitRunWriter) {
        precondition(number < limit, "a gap of \(number)")
        let width = width(number, order)
        writer.append(1 << UInt64(width - order), width: width - order + 1)
        writer.append(UInt64(number) + 1 << UInt64(order), width: width)
    }

    /// Reads numbers from a bit on; gives the bit behind them, or -1 where they are damaged.
    ///
    /// There is room for `count` numbers.
    @inline(__always)
    static func decode(
        _ bytes: UnsafeRawBufferPointer, at start: Int, count: Int, order: Int,
        to out: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard let base = bytes.baseAddress else { return -1 }
        let last = bytes.count &- BitRuns.padding
        let added: UInt32 = 1 &<< UInt32(truncatingIfNeeded: order)
        var bit = start
        for index in 0..<count {
            guard bit &>> 3 <= last else { return -1 }
            // Eight bytes are there, as the line before says.
            let word = unsafe BitRuns.word(base, bit)
            let zeros = word.trailingZeroBitCount
            let width = zeros &+ order
            // Then zeros, a one and the rest are at most 49 of the 57 bits.
            guard width <= widthLimit else { return -1 }
            let high: UInt64 = 1 &<< UInt64(truncatingIfNeeded: width)
            let low = word &>> UInt64(truncatingIfNeeded: zeros &+ 1) & (high &- 1)
            unsafe out[index] = UInt32(truncatingIfNeeded: low | high) &- added
            bit &+= zeros &+ 1 &+ width
        }
        return bit
    }

    /// Moves a bit behind some numbers; false where they are damaged.
    static func skip(_ bytes: Span<UInt8>, at bit: inout Int, count: Int, order: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes -> Bool in
            guard let base = bytes.baseAddress else { return false }
            let last = bytes.count &- BitRuns.padding
            for _ in 0..<count {
                guard bit &>> 3 <= last else { return false }
                // Eight bytes are there, as the line before says.
                let zeros = unsafe BitRuns.word(base, bit).trailingZeroBitCount
                guard zeros &+ order <= widthLimit else { return false }
                bit &+= 2 &* zeros &+ order &+ 1
            }
            return true
        }
    }

    /// Reads numbers from a bit on, and moves it behind them; nil where they are damaged.
    package static func numbers(
        _ bytes: Span<UInt8>, at bit: inout Int, count: Int, order: Int
    ) -> [UInt32]? {
        guard bit >= 0, count <= bytes.count * 8 else { return nil }
        var end = -1
        let numbers = [UInt32](capacity: count) { numbers in
            unsafe numbers.withUnsafeMutableBufferPointer { buffer, filled in
                guard let out = buffer.baseAddress else { return }
                end = unsafe bytes.withUnsafeBytes { bytes in
                    // There is room for `count` numbers.
                    unsafe decode(bytes, at: bit, count: count, order: order, to: out)
                }
                filled = end < 0 ? 0 : count
            }
        }
        guard end >= 0 || count == 0 else { return nil }
        bit = max(bit, end)
        return numbers
    }

    /// Appends a list whose end its reader knows: two bits of choice, then the gaps.
    package static func appendList(_ gaps: [UInt32], to bytes: inout [UInt8]) {
        let choice = choice(for: gaps)
        var run = BitRunWriter()
        run.append(UInt64(choice), width: 2)
        for gap in gaps { append(gap, order: order(ofChoice: choice), to: &run) }
        bytes += run.bytes
    }

    /// The ascending numbers of such a list, the first so many; damaged ones give fewer or others.
    ///
    /// - Parameters:
    ///   - bytes: where the list lies, with eight bytes behind it.
    ///   - place: where.
    ///   - count: the most numbers.
    package static func list(
        _ bytes: Span<UInt8>, in place: Range<Int>, atMost count: Int = .max
    ) -> [UInt32] {
        guard place.lowerBound >= 0, place.lowerBound < bytes.count - BitRuns.padding else {
            return []
        }
        let end = 8 * min(place.upperBound, bytes.count - BitRuns.padding)
        let order = order(ofChoice: bytes[place.lowerBound])
        let added: UInt32 = 1 << UInt32(order)
        var numbers: [UInt32] = []
        // A code has one bit and more.
        numbers.reserveCapacity(min(count, place.count * 8 / (order + 2) + 1))
        var bit = 8 * place.lowerBound + 2
        var next: UInt32 = 0
        unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            while bit < end, numbers.count < count {
                // The byte of the bit is below the end, behind which there are eight.
                let word = unsafe BitRuns.word(base, bit)
                let zeros = word.trailingZeroBitCount
                let width = zeros &+ order
                // What fills up the last byte has no one before the end.
                guard width <= widthLimit, bit &+ zeros < end else { return }
                let high: UInt64 = 1 &<< UInt64(truncatingIfNeeded: width)
                let low = word &>> UInt64(truncatingIfNeeded: zeros &+ 1) & (high &- 1)
                next = next &+ UInt32(truncatingIfNeeded: low | high) &- added
                numbers.append(next)
                next = next &+ 1
                bit &+= zeros &+ 1 &+ width
            }
        }
        return numbers
    }
}
