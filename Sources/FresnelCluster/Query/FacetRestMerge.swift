import FresnelModel
import FresnelWire

/// Adds what the workers left out of one facet to what they named, and keeps the most frequent.
///
/// What was left out comes value by value, ascending, each value from one worker after the other;
/// what was named is ascending too. So both are gone through once, side by side, and what changes
/// while they are does not grow with the number of values.
struct FacetRestMerge: Sendable {
    private typealias Entry = BestValues.Entry

    /// The sums of round one.
    private let named: [Entry]
    private var nextNamed = 0
    /// The value whose counts are coming.
    private var current: Entry?
    private var best: BestValues
    /// Values so far.
    private(set) var distinct: UInt64 = 0

    init(_ merge: FacetMerge) {
        best = BestValues(limit: merge.limit)
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
        for entry in best.entries {
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
        best.add(entry)
    }
}
