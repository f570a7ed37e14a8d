import FresnelModel
import FresnelWire

// One round: every worker sends all values of a facet with their counts, as far as they fit
// (`Limits.facetBytes`), and the count of the most frequent value that it left out. So the broker
// knows for every value what its count may lack: the bounds of the workers that left something out
// and did not name it. The first n are exact, counts and order, when none of them lacks anything
// and no other can reach the last of them. Otherwise `bound` says by how much a count may
// be too low (Documentation/decisions/0010-facets.md).

/// Adds up the counts of one facet over the workers.
struct FacetMerge {
    /// Equal where texts, numbers or dates are.
    private enum Key: Hashable {
        case number(Double)
        case date(Double)
        case text(String)
    }

    private struct Sum {
        var value: WireFacetValue
        /// The bounds of the workers that named the value.
        var covered: UInt64
    }

    private let request: WireFacetRequest
    private var sums: [Key: Sum] = [:]
    private var documents: [UInt64] = []
    private var missing: [UInt64] = []
    /// The bounds of all workers.
    private var bound: UInt64 = 0
    private var isWhole = true

    init(_ request: WireFacetRequest) { self.request = request }

    /// Adds what one worker counted.
    mutating func add(_ counts: WireFacetCounts) {
        documents.append(counts.documents)
        missing.append(counts.missing)
        bound = [bound, counts.bound].saturatingSum
        isWhole = isWhole && counts.distinct == UInt64(counts.values.count)
        for value in counts.values {
            guard let key = Self.key(of: value) else { continue }
            guard var sum = sums[key] else {
                sums[key] = Sum(value: value, covered: counts.bound)
                continue
            }
            sum.value.count = [sum.value.count, value.count].saturatingSum
            sum.covered = [sum.covered, counts.bound].saturatingSum
            sums[key] = sum
        }
    }

    /// The most frequent values.
    var counts: WireFacetCounts {
        var counts = WireFacetCounts()
        counts.attribute = request.attribute
        counts.documents = documents.saturatingSum
        counts.missing = missing.saturatingSum
        if isWhole { counts.distinct = UInt64(sums.count) }
        let limit = request.limit == 0 ? Limits.facetValuesDefault : Int(request.limit)
        let ordered = sums.values.sorted { $0.value.precedes($1.value) }
        let listed = ordered.prefix(limit)
        counts.values = listed.map(\.value)
        counts.bound = isExact(listed, ordered.dropFirst(limit), limit) ? 0 : bound
        return counts
    }

    /// Whether nothing that is not known could change a listed count or the order.
    private func isExact(_ listed: ArraySlice<Sum>, _ others: ArraySlice<Sum>, _ limit: Int) -> Bool
    {
        guard bound > 0 else { return true }
        guard listed.count == limit, let last = listed.last?.value.count,
            listed.allSatisfy({ $0.covered == bound }), bound < last
        else { return false }
        return others.allSatisfy { other in
            let lacking = bound - min(bound, other.covered)
            return lacking == 0 || [other.value.count, lacking].saturatingSum < last
        }
    }

    private static func key(of value: WireFacetValue) -> Key? {
        switch value.value {
        case .number(let number): .number(number)
        case .date(let seconds): .date(seconds)
        case .text(let text): .text(text)
        case nil: nil
        }
    }
}
