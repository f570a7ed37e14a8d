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
    ///   - table: room that looks use one after the other, whatever they look for.
    package mutating func look(
        for wanted: Span<UInt32>, in list: borrowing PostingBlocks.List, lasts: Span<UInt32>,
        _ table: inout PlaceTable
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
                                isWhole = unsafe search.run(wanted, list, lasts, target, &table)
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
        let low = Bisection.end(from: 0, to: wanted.count) { wanted[$0] < number }
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
        _ target: Target, _ table: inout PlaceTable
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
                    unsafe take(out, count, wanted, until: lasts[block], target, &table)
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
        _ numbers: UnsafeMutablePointer<UInt32>, _ count: Int, _ wanted: Span<UInt32>,
        until last: UInt32, _ target: Target, _ table: inout PlaceTable
    ) {
        let (block, found, start) = unsafe (UnsafePointer(numbers), found, next)
        let near = start &+ Self.tableThreshold &- 1
        unsafe wanted.withUnsafeBufferPointer { wanted in
            // `next` is the place of a wanted number.
            let rest = unsafe UnsafeBufferPointer(rebasing: wanted[start...])
            if near < wanted.count, unsafe wanted[near] <= last,
                unsafe table.fill(block, count: count)
            {
                let (places, mask) = unsafe (table.places, table.mask)
                (next, self.found) = unsafe Self.taken(
                    rest, until: last, from: block, target, found, places, mask)
            } else {
                (next, self.found) = unsafe Self.taken(
                    rest, until: last, from: block, target, found)
            }
        }
        next &+= start
        // What was taken is told by places among these numbers and in this block: now of all.
        let origin = self.origin &+ UInt32(truncatingIfNeeded: start)
        let place = UInt32(truncatingIfNeeded: 128 &* self.block)
        for taken in found..<self.found {
            // Written by the look before, each below the count of the block.
            unsafe target.numbers[taken] = numbers[Int(target.places[taken])]
            unsafe target.origins[taken] &+= origin
            unsafe target.places[taken] &+= place
        }
    }

    // Both ways write where a number may be each time, and keep it if the number is there: at most
    // so many were kept as were looked for before. They give how many were looked for, and how many
    // were kept in all. Out of line, since they need all registers.

    /// Takes numbers by a table of a block's places.
    @inline(never)
    private static func taken(
        _ wanted: UnsafeBufferPointer<UInt32>, until last: UInt32,
        from block: UnsafePointer<UInt32>, _ target: Target, _ found: Int,
        _ places: UnsafePointer<UInt8>, _ mask: UInt32
    ) -> (asked: Int, found: Int) {
        let (origins, targets) = unsafe (target.origins, target.places)
        var (number, found) = (0, found)
        while number < wanted.count, case let mine = unsafe wanted[number], mine <= last {
            // Every entry up to the mask is a place below 128.
            let place = unsafe places[Int(mine & mask)]
            unsafe origins[found] = UInt32(truncatingIfNeeded: number)
            unsafe targets[found] = UInt32(place)
            unsafe found &+= block[Int(place)] == mine ? 1 : 0
            number &+= 1
        }
        return (number, found)
    }

    /// The same by halves: the steps add up to 127, the last place of the block.
    @inline(never)
    private static func taken(
        _ wanted: UnsafeBufferPointer<UInt32>, until last: UInt32,
        from block: UnsafePointer<UInt32>, _ target: Target, _ found: Int
    ) -> (asked: Int, found: Int) {
        let (origins, targets) = unsafe (target.origins, target.places)
        var (number, found) = (0, found)
        while number < wanted.count, case let mine = unsafe wanted[number], mine <= last {
            var low = 0
            unsafe low &+= block[63] < mine ? 64 : 0
            unsafe low &+= block[low &+ 31] < mine ? 32 : 0
            unsafe low &+= block[low &+ 15] < mine ? 16 : 0
            unsafe low &+= block[low &+ 7] < mine ? 8 : 0
            unsafe low &+= block[low &+ 3] < mine ? 4 : 0
            unsafe low &+= block[low &+ 1] < mine ? 2 : 0
            unsafe low &+= block[low] < mine ? 1 : 0
            unsafe origins[found] = UInt32(truncatingIfNeeded: number)
            unsafe targets[found] = UInt32(truncatingIfNeeded: low)
            unsafe found &+= block[low] == mine ? 1 : 0
            number &+= 1
        }
        return (number, found)
    }
}
