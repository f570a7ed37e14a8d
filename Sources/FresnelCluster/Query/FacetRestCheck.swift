import FresnelModel
import FresnelWire

// What a worker says in the second round must continue what it said in the first: the same shards
// at the same place hold the same documents.

/// Whether what a worker sends of its facets' rest can be true, after what it listed of them.
struct FacetRestCheck: Sendable {
    /// One facet, as the worker listed it in the first round.
    private struct Listed {
        let attribute: String
        let documents: UInt64
        let missing: UInt64
        let distinct: UInt64
        let bound: UInt64
        /// The last value it listed; nil where it listed none.
        let last: BestValues.Entry?
        /// Values that it left out, and is asked for now; nil where it is not.
        let due: UInt64?
        /// What came of them.
        var received: UInt64 = 0
        var highest: UInt64 = 0

        /// Whether a value comes behind the last that was listed.
        func isBehindList(_ key: ArraySlice<UInt8>, _ count: UInt64) -> Bool {
            guard let last, count >= last.count else { return true }
            return count == last.count && last.key.lexicographicallyPrecedes(key)
        }
    }

    private var facets: [Listed]

    /// - Parameters:
    ///   - facets: those of the second round, as the worker listed them.
    ///   - rest: what it is asked for.
    init(_ facets: [WireFacetCounts], asking rest: [WireFacetRest]) {
        let places = Set(rest.map(\.facet))
        self.facets = facets.enumerated().map { place, facet in
            Listed(
                attribute: facet.attribute, documents: facet.documents, missing: facet.missing,
                distinct: facet.distinct, bound: facet.bound,
                last: facet.values.last.map { ($0.orderKey, $0.count) },
                due: places.contains(UInt32(place))
                    ? facet.distinct - min(facet.distinct, UInt64(facet.values.count)) : nil)
        }
    }

    /// Why the next batch cannot be true; nil, and taken in, when it can.
    ///
    /// - Parameter lastKey: the key before it; empty for none.
    mutating func fault(in batch: HitBatchReader, after lastKey: [UInt8]) -> StreamFault? {
        var former = lastKey[...]
        for position in 0..<batch.count {
            let key = batch.key(position)
            guard former.lexicographicallyPrecedes(key) else {
                return StreamFault(.orderAscending, "a value of a facet came twice")
            }
            former = key
            guard let place = key.first, let count = FacetRestEntry.count(of: batch.body(position)),
                WireFacetValue.isOrderKey(key.dropFirst())
            else { return StreamFault(.messagesReadable, "a value of a facet is unreadable") }
            if let fault = take(key.dropFirst(), count, ofFacet: Int(place)) {
                return StreamFault(.countsTrue, "its worker \(fault)")
            }
        }
        return nil
    }

    private mutating func take(
        _ key: ArraySlice<UInt8>, _ count: UInt64, ofFacet place: Int
    ) -> String? {
        guard facets.indices.contains(place), let due = facets[place].due else {
            return "sent values of a facet that it was not asked for"
        }
        let facet = facets[place]
        guard count > 0, count <= facet.bound, facet.isBehindList(key, count) else {
            return "left a value by \(facet.attribute) out that has \(count) documents, where it "
                + "had listed as far as \(facet.bound)"
        }
        facets[place].received += 1
        facets[place].highest = max(facet.highest, count)
        guard facets[place].received <= due else {
            return "sent more values by \(facet.attribute) than the \(due) it had left out"
        }
        return nil
    }

    /// Why the last word cannot be true; nil when it can.
    func fault(in done: WirePartDone) -> StreamFault? {
        guard !done.hasError, done.shards.allSatisfy({ $0.status == .complete }) else {
            return nil
        }
        guard done.facets.map(\.attribute) == facets.map(\.attribute) else {
            return StreamFault(.countsTrue, "its worker counted other facets than it was asked for")
        }
        for (facet, listed) in zip(done.facets, facets) {
            let isSame =
                facet.documents == listed.documents && facet.missing == listed.missing
                && facet.distinct == listed.distinct
            guard isSame else {
                return StreamFault(
                    .countsTrue, "its worker counted \(listed.attribute) another time otherwise")
            }
            guard let due = listed.due else { continue }
            guard listed.received == due, listed.highest == listed.bound else {
                return StreamFault(
                    .countsTrue,
                    "its worker sent \(listed.received) values by \(listed.attribute) of \(due) it "
                        + "had left out")
            }
        }
        return nil
    }
}
