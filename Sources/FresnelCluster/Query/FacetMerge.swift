import FresnelModel
import FresnelWire

// Round one: every worker lists the values of a facet with their counts, the most frequent first
// and equally frequent ones ascending, as far as they fit, and the count of the first that did not.
// So a value that a worker did not list stands behind the last that it did: it has at most `bound`
// documents there, and fewer where it would have come earlier in the list with as many. The first
// n are exact, counts and order, when none of them lacks anything and none of the others, named or
// not, can come before the last of them. Otherwise `bound` says by how much a count may be too low,
// and there is a second round (Documentation/decisions/0010-facets.md).

/// Adds up the counts of one facet over the workers.
struct FacetMerge: Sendable {
    private struct Sum {
        var value: WireFacetValue
        /// What the workers that named the value could have had of it, had they not.
        var covered: UInt64
    }

    /// What one worker did not list.
    private struct Rest {
        let bound: UInt64
        /// nil where it is not known.
        let distinct: UInt64?
        /// The last value it listed, where a value that it did not list may be as frequent.
        let last: WireFacetValue?

        init(of counts: WireFacetCounts) {
            bound = counts.bound
            distinct = counts.hasDistinct ? counts.distinct : nil
            last = counts.values.last.flatMap { $0.count == counts.bound ? $0 : nil }
        }

        /// The most documents that a value can have which the worker did not list.
        func most(of value: WireFacetValue) -> UInt64 {
            guard bound > 0, let last, !last.isLess(than: value) else { return bound }
            return bound - 1
        }
    }

    let request: WireFacetRequest
    /// By the key of the value.
    private var sums: [[UInt8]: Sum] = [:]
    private var documents: [UInt64] = []
    private var missing: [UInt64] = []
    private var rests: [Rest] = []
    /// The bounds of all workers.
    private var bound: UInt64 = 0

    init(_ request: WireFacetRequest) { self.request = request }

    /// How many values are wanted.
    var limit: Int { request.limit == 0 ? Limits.facetValuesDefault : Int(request.limit) }

    /// Adds what one worker counted.
    mutating func add(_ counts: WireFacetCounts) {
        documents.append(counts.documents)
        missing.append(counts.missing)
        bound = [bound, counts.bound].saturatingSum
        let rest = Rest(of: counts)
        if rest.bound > 0 { rests.append(rest) }
        for value in counts.values {
            let key = value.orderKey
            let covered = rest.most(of: value)
            guard var sum = sums[key] else {
                sums[key] = Sum(value: value, covered: covered)
                continue
            }
            sum.value.count = [sum.value.count, value.count].saturatingSum
            sum.covered = [sum.covered, covered].saturatingSum
            sums[key] = sum
        }
    }

    /// The most frequent values, as far as one round tells.
    var counts: WireFacetCounts {
        var counts = frame
        counts.rounds = 1
        if rests.isEmpty { counts.distinct = UInt64(sums.count) }
        // One worker knows how many there are, also where its list does not hold them.
        if documents.count == 1, let only = rests.first?.distinct { counts.distinct = only }
        var best = BestValues(limit: limit)
        for (key, sum) in sums { best.add((key, sum.value.count)) }
        counts.values = best.entries.compactMap { sums[$0.key]?.value }
        counts.bound = isExact(best) ? 0 : bound
        return counts
    }

    /// The counts after a second round that brought all that was left out.
    func counts(with values: [WireFacetValue], distinct: UInt64) -> WireFacetCounts {
        var counts = frame
        counts.rounds = 2
        counts.values = values
        counts.distinct = distinct
        return counts
    }

    /// What was named, ascending by key, with the sums so far.
    var named: [(key: [UInt8], count: UInt64)] {
        sums.map { ($0.key, $0.value.value.count) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private var frame: WireFacetCounts {
        var counts = WireFacetCounts()
        counts.attribute = request.attribute
        counts.documents = documents.saturatingSum
        counts.missing = missing.saturatingSum
        return counts
    }

    /// Whether nothing that is not known could change a listed count or the order.
    private func isExact(_ best: BestValues) -> Bool {
        guard bound > 0 else { return true }
        guard let last = best.last, let value = sums[last.key]?.value, unnamedFollow(value) else {
            return false
        }
        return sums.allSatisfy { key, sum in
            let lacking = lacking(sum)
            guard lacking > 0 else { return true }
            // What lacks something must not be listed, and stay behind the last that is.
            let most = [sum.value.count, lacking].saturatingSum
            return most < last.count
                || most == last.count && last.key.lexicographicallyPrecedes(key)
        }
    }

    /// What the sum of a value may lack.
    private func lacking(_ sum: Sum) -> UInt64 {
        let most = rests.map { $0.most(of: sum.value) }.saturatingSum
        return most - min(most, sum.covered)
    }

    /// Whether a value that no worker named must come behind one that is listed.
    ///
    /// To be as frequent as all bounds together, it has to follow the last value of every worker
    /// that could have listed it otherwise.
    private func unnamedFollow(_ listed: WireFacetValue) -> Bool {
        guard bound == listed.count else { return bound < listed.count }
        return rests.contains { rest in rest.last.map { !$0.isLess(than: listed) } ?? false }
    }
}
