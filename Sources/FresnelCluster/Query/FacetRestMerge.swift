import FresnelModel
import FresnelWire

/// Adds what the workers left out of one facet to what they named, and keeps the most frequent.
///
/// What was left out comes value by value, ascending, each value from one worker after the other;
/// what was named is ascending too. So both are gone through once, side by side, and what changes
/// while they are does not grow with the number of values.
struct FacetRestMerge: Sendable {
    typealias Entry = (key: [UInt8], count: UInt64)

    private let limit: Int
    /// The sums of round one.
    private let named: [Entry]
    private var nextNamed = 0
    /// The value whose counts are coming.
    private var current: Entry?
    /// The most frequent so far; equally frequent ones ascend.
    private var best: [Entry] = []
    /// Values so far.
    private(set) var distinct: UInt64 = 0

    init(_ merge: FacetMerge) {
        limit = merge.limit
        named = merge.named
    }

    /// Adds a count; the keys of values never descend.
    mutating func add(_ key: ArraySlice<UInt8>, count: UInt64) {
        if let former = current, former.key.elementsEqual(key) {
            current = (former.key, [former.count, count].saturatingSum)
            return
        }
        passCurrent()
        while nextNamed < named.count, named[nextNamed].key.lexicographicallyPrecedes(key) {
            pass(named[nextNamed])
            nextNamed += 1
        }
        current = (Array(key), count)
        guard nextNamed < named.count, named[nextNamed].key.elementsEqual(key) else { return }
        current?.count = [named[nextNamed].count, count].saturatingSum
        nextNamed += 1
    }

    /// Ends the stream.
    ///
    /// - Returns: the most frequent values; nil when one cannot be read.
    mutating func finish() -> [WireFacetValue]? {
        passCurrent()
        named[nextNamed...].forEach { pass($0) }
        nextNamed = named.count
        var values: [WireFacetValue] = []
        for entry in best {
            do throws(WireError) {
                var value = try WireFacetValue(orderKey: entry.key[...])
                value.count = entry.count
                values.append(value)
            } catch {
                return nil
            }
        }
        return values
    }

    private mutating func passCurrent() {
        if let entry = current { pass(entry) }
        current = nil
    }

    /// Takes in the next value with its whole count.
    private mutating func pass(_ entry: Entry) {
        distinct += 1
        guard best.count < limit || entry.count > best.last?.count ?? 0 else { return }
        // Those as frequent came before, so they stay before.
        var low = 0
        var high = best.count
        while low < high {
            let middle = (low + high) / 2
            if best[middle].count >= entry.count { low = middle + 1 } else { high = middle }
        }
        best.insert(entry, at: low)
        if best.count > limit { best.removeLast() }
    }
}
