// Which of some numbers are in a list too: only the blocks that can hold one are decoded, and each
// number is looked for by halves in its block. Where a block is asked for many, its places are
// written into a table by the lowest bits of its numbers first, so that each look is one load: what
// the table says is compared with the block, so that it needs no clearing between blocks. Beside
// the numbers that are kept stands where each is in the list, so that whatever belongs to its place
// there is found without the block.

/// The numbers that are in a list, as they are found.
package struct PostingMeeting: Sendable {
    /// The numbers, ascending.
    package private(set) var numbers: [UInt32] = []
    /// The place of each among the numbers that were looked for.
    package private(set) var origins: [UInt32] = []
    /// The place of each in the list.
    package private(set) var places: [UInt32] = []
    /// Numbers looked for so far.
    package private(set) var asked = 0
    /// The first block that the next number can be in.
    private var block = 0

    /// Starts with none.
    package init() {}

    /// Looks for numbers, ascending and behind those before; false when the list is damaged.
    ///
    /// - Parameters:
    ///   - wanted: the numbers.
    ///   - list: the whole list.
    ///   - lasts: the greatest number of each of its blocks.
    package mutating func look(
        for wanted: Span<UInt32>, in list: borrowing PostingBlocks.List, lasts: Span<UInt32>
    ) -> Bool {
        var search = BlockSearch(block: block, origin: UInt32(truncatingIfNeeded: asked))
        var isWhole = true
        let room = wanted.count
        numbers.append(addingCapacity: room) { numbers in
            origins.append(addingCapacity: room) { origins in
                places.append(addingCapacity: room) { places in
                    unsafe numbers.withUnsafeMutableBufferPointer { numbers, numberCount in
                        unsafe origins.withUnsafeMutableBufferPointer { origins, originCount in
                            unsafe places.withUnsafeMutableBufferPointer { places, placeCount in
                                guard let first = numbers.baseAddress,
                                    let second = origins.baseAddress,
                                    let third = places.baseAddress
                                else { return }
                                // Each has room for every wanted number.
                                let target = unsafe BlockSearch.Target(first, second, third)
                                isWhole = unsafe search.run(wanted, list, lasts, target)
                                (numberCount, originCount) = (search.found, search.found)
                                placeCount = search.found
                            }
                        }
                    }
                }
            }
        }
        asked += wanted.count
        block = search.block
        return isWhole
    }

    /// Looks for numbers, ascending, in a list of one number.
    package mutating func look(for wanted: Span<UInt32>, only number: UInt32) {
        var (low, high) = (0, wanted.count)
        while low < high {
            let middle = low + (high - low) / 2
            if wanted[middle] < number { low = middle + 1 } else { high = middle }
        }
        if low < wanted.count, wanted[low] == number {
            numbers.append(number)
            origins.append(UInt32(asked + low))
            places.append(0)
        }
        asked += wanted.count
    }
}

/// The work of one look, over raw memory.
private struct BlockSearch: ~Copyable {
    /// Where the three facts of what is found go.
    @unsafe
    struct Target {
        let numbers: UnsafeMutablePointer<UInt32>
        let origins: UnsafeMutablePointer<UInt32>
        let places: UnsafeMutablePointer<UInt32>

        init(
            _ numbers: UnsafeMutablePointer<UInt32>, _ origins: UnsafeMutablePointer<UInt32>,
            _ places: UnsafeMutablePointer<UInt32>
        ) {
            unsafe self.numbers = numbers
            unsafe self.origins = origins
            unsafe self.places = places
        }
    }

    /// The first block the next number can be in.
    private(set) var block: Int
    /// The place of the first number of this look among all.
    private let origin: UInt32
    /// Numbers found.
    private(set) var found = 0
    /// The next number to look for.
    private var next = 0
    private var table = PlaceTable()

    /// Wanted numbers from which on a block's places are written into the table.
    private static let tableThreshold = 16

    init(block: Int, origin: UInt32) {
        self.block = block
        self.origin = origin
    }

    /// The target has room for as many numbers as are wanted.
    @unsafe
    mutating func run(
        _ wanted: Span<UInt32>, _ list: borrowing PostingBlocks.List, _ lasts: Span<UInt32>,
        _ target: Target
    ) -> Bool {
        let blockCount = (list.count + 127) / 128
        guard lasts.count >= blockCount, list.offsets.count > blockCount else { return false }
        let (blob, offsets, limit) = (list.blob, list.offsets, list.limit)
        let (total, floor, isCoded) = (list.count, list.floor, list.isCoded)
        return unsafe blob.withUnsafeBytes { bytes -> Bool in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 128) { buffer in
                guard let out = buffer.baseAddress else { return true }
                while next < wanted.count {
                    block = Self.firstBlock(lasts, from: block, blockCount, wanted[next])
                    guard block < blockCount else { return true }
                    let count = min(128, total &- 128 &* block)
                    let base = block == 0 ? floor : lasts[block - 1] &+ 1
                    let place = Int(offsets[block])
                    guard
                        unsafe PostingBlocks.decode(
                            bytes, place..<max(place, Int(offsets[block + 1])), count: count,
                            from: base, limit: limit, isCoded: isCoded, to: out) >= 0
                    else { return false }
                    // What is behind a short block follows every number.
                    for rest in count..<128 { unsafe out[rest] = .max }
                    let former = next
                    unsafe take(out, count, until: lasts[block], wanted, target)
                    // A damaged table of last numbers must not hold the search up.
                    if next == former { next &+= 1 }
                    // The block may have more of what is looked for the next time.
                    if next < wanted.count { block &+= 1 }
                }
                return true
            }
        }
    }

    /// The first block whose last number is not below `number`: steps that double, then halves.
    private static func firstBlock(
        _ lasts: Span<UInt32>, from start: Int, _ count: Int, _ number: UInt32
    ) -> Int {
        guard start < count, lasts[start] < number else { return start }
        var (low, step) = (start + 1, 1)
        while low + step <= count, lasts[low + step - 1] < number {
            low += step
            step *= 2
        }
        var high = min(count, low + step - 1)
        while low < high {
            let middle = low + (high - low) / 2
            if lasts[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Takes the numbers up to the last of a block of so many numbers; room is for 128.
    @inline(__always)
    private mutating func take(
        _ numbers: UnsafeMutablePointer<UInt32>, _ count: Int, until last: UInt32,
        _ wanted: Span<UInt32>, _ target: Target
    ) {
        let near = next &+ Self.tableThreshold &- 1
        guard near < wanted.count, wanted[near] <= last,
            unsafe table.fill(UnsafePointer(numbers), count: count)
        else {
            return unsafe take(numbers, until: last, wanted, target) { mine in
                // By halves: the steps add up to 127, the last place of the block.
                var low = 0
                unsafe low &+= numbers[63] < mine ? 64 : 0
                unsafe low &+= numbers[low &+ 31] < mine ? 32 : 0
                unsafe low &+= numbers[low &+ 15] < mine ? 16 : 0
                unsafe low &+= numbers[low &+ 7] < mine ? 8 : 0
                unsafe low &+= numbers[low &+ 3] < mine ? 4 : 0
                unsafe low &+= numbers[low &+ 1] < mine ? 2 : 0
                unsafe low &+= numbers[low] < mine ? 1 : 0
                return low
            }
        }
        let (places, mask) = unsafe (table.places, table.mask)
        unsafe take(numbers, until: last, wanted, target) { mine in
            // Every entry up to the mask is a place below 128.
            unsafe Int(places[Int(mine & mask)])
        }
    }

    /// The same with what tells at which place of the block a number is, if it is there at all.
    @inline(__always)
    private mutating func take(
        _ numbers: UnsafeMutablePointer<UInt32>, until last: UInt32, _ wanted: Span<UInt32>,
        _ target: Target, _ place: (UInt32) -> Int
    ) {
        let first = UInt32(truncatingIfNeeded: 128 &* block)
        let (end, origin) = (wanted.count, origin)
        var (next, found) = (next, found)
        unsafe wanted.withUnsafeBufferPointer { wanted in
            while next < end {
                let mine = unsafe wanted[next]
                guard mine <= last else { break }
                let low = place(mine)
                // Written always, kept if the number is there: at most so many were kept as were
                // looked for before.
                unsafe target.numbers[found] = mine
                unsafe target.origins[found] = origin &+ UInt32(truncatingIfNeeded: next)
                unsafe target.places[found] = first &+ UInt32(truncatingIfNeeded: low)
                unsafe found &+= numbers[low] == mine ? 1 : 0
                next &+= 1
            }
        }
        (self.next, self.found) = (next, found)
    }
}

/// At which place of a block a number may be, by its lowest bits.
///
/// What stands there from a block before is a place, too, with another number.
@safe
private struct PlaceTable: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>?
    /// Entries that were written at all.
    private var count = 0
    /// The lowest bits.
    private(set) var mask: UInt32 = 0

    /// Entries there are; a block whose numbers are farther apart has no table.
    private static let limit = 1 << 15
    private static let least = 1 << 10

    init() { unsafe memory = nil }

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
        for place in 0..<size {
            unsafe table[Int(numbers[place] & mask)] = UInt8(truncatingIfNeeded: place)
        }
        self.mask = mask
        return true
    }
}
