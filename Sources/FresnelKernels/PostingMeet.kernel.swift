// Which of some numbers are in a list too: only the blocks that can hold one are decoded, and each
// number is looked for by halves in its block, or, where a block is asked for many, met with it
// number by number. Beside the numbers that are kept stands where each is in the list, so that
// whatever belongs to its place there is found without the block.

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
        let kept = numbers.count
        numbers.append(contentsOf: repeatElement(0, count: wanted.count))
        origins.append(contentsOf: repeatElement(0, count: wanted.count))
        places.append(contentsOf: repeatElement(0, count: wanted.count))
        var search = BlockSearch(found: kept, next: 0, block: block, origin: asked)
        let isWhole = unsafe numbers.withUnsafeMutableBufferPointer { numbers in
            unsafe origins.withUnsafeMutableBufferPointer { origins in
                unsafe places.withUnsafeMutableBufferPointer { places -> Bool in
                    guard let first = numbers.baseAddress, let second = origins.baseAddress,
                        let third = places.baseAddress
                    else { return true }
                    // Each has room for `wanted.count` numbers behind those that were kept.
                    let target = unsafe BlockSearch.Target(first, second, third)
                    return unsafe search.run(wanted, list, lasts, target)
                }
            }
        }
        asked += wanted.count
        block = search.block
        let surplus = numbers.count - search.found
        numbers.removeLast(surplus)
        origins.removeLast(surplus)
        places.removeLast(surplus)
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
private struct BlockSearch {
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

    /// Numbers kept, those of earlier looks included.
    var found: Int
    /// The next number to look for.
    var next: Int
    /// The first block it can be in.
    var block: Int
    /// The place of the first number of this look among all.
    let origin: Int

    /// The target has room for as many numbers as are wanted, behind `found`.
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
                    guard
                        unsafe PostingBlocks.decode(
                            bytes,
                            Int(
                                offsets[block])..<max(
                                    Int(offsets[block]), Int(offsets[block + 1])),
                            count: count, from: base, limit: limit, isCoded: isCoded,
                            to: out) >= 0
                    else { return false }
                    // What is behind a short block follows every number.
                    for rest in count..<128 { unsafe out[rest] = .max }
                    let former = next
                    unsafe take(out, until: lasts[block], wanted, target)
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

    /// Takes the numbers up to the last of a block; the block has 128.
    @inline(__always)
    private mutating func take(
        _ numbers: UnsafeMutablePointer<UInt32>, until last: UInt32, _ wanted: Span<UInt32>,
        _ target: Target
    ) {
        let first = UInt32(truncatingIfNeeded: 128 &* block)
        let end = wanted.count
        // Many numbers in the block: both are gone through together.
        if next &+ 24 < end, wanted[next &+ 24] <= last {
            var place = 0
            while next < end, place < 128, wanted[next] <= last {
                let (mine, other) = unsafe (wanted[next], numbers[place])
                // Written always, kept if both are equal; there is room for every wanted number.
                unsafe put(mine, first &+ UInt32(truncatingIfNeeded: place), target)
                found &+= mine == other ? 1 : 0
                next &+= mine <= other ? 1 : 0
                place &+= other <= mine ? 1 : 0
            }
            while next < end, wanted[next] <= last { next &+= 1 }
            return
        }
        while next < end, wanted[next] <= last {
            let mine = wanted[next]
            // By halves: the steps add up to 127, the last place of the block.
            var low = 0
            unsafe low &+= numbers[63] < mine ? 64 : 0
            unsafe low &+= numbers[low &+ 31] < mine ? 32 : 0
            unsafe low &+= numbers[low &+ 15] < mine ? 16 : 0
            unsafe low &+= numbers[low &+ 7] < mine ? 8 : 0
            unsafe low &+= numbers[low &+ 3] < mine ? 4 : 0
            unsafe low &+= numbers[low &+ 1] < mine ? 2 : 0
            unsafe low &+= numbers[low] < mine ? 1 : 0
            unsafe put(mine, first &+ UInt32(truncatingIfNeeded: low), target)
            unsafe found &+= numbers[low] == mine ? 1 : 0
            next &+= 1
        }
    }

    /// Writes a number that may be kept; at most so many were kept as were looked for before.
    @inline(__always)
    private func put(_ number: UInt32, _ place: UInt32, _ target: Target) {
        unsafe target.numbers[found] = number
        unsafe target.origins[found] = UInt32(truncatingIfNeeded: origin &+ next)
        unsafe target.places[found] = place
    }
}
