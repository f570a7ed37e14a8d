// Two strictly ascending lists: walk both where they are of like length, gallop through the long
// one where they are not.

import FresnelKernels

/// Set algebra on strictly ascending lists of numbers.
package enum SortedNumbers {
    /// How much longer a list must be to be searched instead of walked.
    private static let gallopFactor = 16

    /// The first place at or after `start` whose number is not below `number`.
    package static func lowerBound(
        of number: UInt32, in list: Span<UInt32>, from start: Int
    ) -> Int {
        Galloping.end(from: start, count: list.count) { list[$0] < number }
    }

    /// The numbers in both lists.
    package static func intersection(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        guard left.count <= right.count else { return intersection(right, left) }
        var both: [UInt32] = []
        both.reserveCapacity(left.count)
        if right.count / gallopFactor > left.count {
            var place = 0
            for number in left {
                place = lowerBound(of: number, in: right.span, from: place)
                guard place < right.count else { break }
                if right[place] == number { both.append(number) }
            }
            return both
        }
        var place = 0
        for number in left {
            while place < right.count, right[place] < number { place += 1 }
            guard place < right.count else { break }
            if right[place] == number { both.append(number) }
        }
        return both
    }

    /// The numbers in either list.
    package static func union(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var merged: [UInt32] = []
        merged.reserveCapacity(left.count + right.count)
        var (first, second) = (0, 0)
        while first < left.count, second < right.count {
            let (one, other) = (left[first], right[second])
            merged.append(min(one, other))
            if one <= other { first += 1 }
            if other <= one { second += 1 }
        }
        merged.append(contentsOf: left[first...])
        merged.append(contentsOf: right[second...])
        return merged
    }

    /// Sorts numbers and drops repetitions.
    package static func sortDistinct(_ numbers: inout [UInt32]) {
        numbers.sort()
        var kept = 0
        for index in numbers.indices where index == 0 || numbers[index] != numbers[kept - 1] {
            numbers[kept] = numbers[index]
            kept += 1
        }
        numbers.removeLast(numbers.count - kept)
    }
}
