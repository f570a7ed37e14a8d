// What a block is asked for many numbers with (`PostingMeeting`). One table serves all lists of a
// query: what stands in it from blocks before does no harm, so that it is cleared only once.

/// At which place of a block a number may be, by its lowest bits.
///
/// What stands there from a block before is a place, too, with another number.
@safe
package struct PlaceTable: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>?
    /// Entries that were written at all.
    private var count = 0
    /// The lowest bits.
    private(set) var mask: UInt32 = 0

    /// Entries there are; a block whose numbers are farther apart has no table.
    private static let limit = 1 << 14
    private static let least = 1 << 10

    /// An empty table, without memory until it is needed.
    package init() { unsafe memory = nil }

    deinit { unsafe memory?.deallocate() }

    /// Entries up to the mask; nil before the first block.
    var places: UnsafePointer<UInt8> {
        // Asked after `fill` made them.
        unsafe UnsafePointer(memory.unsafelyUnwrapped)
    }

    /// Writes the places of the numbers of a block, ascending; false where they do not fit.
    @unsafe
    mutating func fill(_ numbers: UnsafePointer<UInt32>, count size: Int) -> Bool {
        let span = unsafe Int(numbers[size &- 1]) &- Int(numbers[0])
        guard span >= 0, span < Self.limit else { return false }
        let table = unsafe memory ?? .allocate(capacity: Self.limit)
        unsafe memory = table
        // More entries than the numbers are apart: no two share one.
        let needed = max(Self.least, 1 &<< (Int.bitWidth &- span.leadingZeroBitCount))
        if needed > count {
            unsafe (table + count).initialize(repeating: 0, count: needed &- count)
            count = needed
        }
        let mask = UInt32(truncatingIfNeeded: needed &- 1)
        // By fours; what is behind them one by one. All are places of the block.
        let most = size & ~3
        for place in stride(from: 0, to: most, by: 4) {
            let mark = UInt8(truncatingIfNeeded: place)
            unsafe table[Int(numbers[place] & mask)] = mark
            unsafe table[Int(numbers[place &+ 1] & mask)] = mark &+ 1
            unsafe table[Int(numbers[place &+ 2] & mask)] = mark &+ 2
            unsafe table[Int(numbers[place &+ 3] & mask)] = mark &+ 3
        }
        for place in most..<size {
            unsafe table[Int(numbers[place] & mask)] = UInt8(truncatingIfNeeded: place)
        }
        self.mask = mask
        return true
    }
}
