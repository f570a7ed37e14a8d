import FresnelText
package import FresnelWire

// Facets: the found documents of a segment are counted by ranks and by sorted numbers, without
// touching a text (`SegmentFacetCounter`). Only values that occur become bytes, once a segment, and
// are added up here over the segments and shards of a worker. The broker adds up the workers.

/// The counts of one facet over several segments.
package struct FacetTally: Sendable {
    /// What one segment adds.
    struct Part: Sendable {
        var counts: [FacetKey: UInt64] = [:]
        /// Found documents with a value, and without.
        var documents: UInt64 = 0
        var missing: UInt64 = 0
    }

    let field: FacetField
    private(set) var counts: [FacetKey: UInt64] = [:]
    private(set) var documents: UInt64 = 0
    private(set) var missing: UInt64 = 0

    /// Starts at nothing.
    package init(_ field: FacetField) { self.field = field }

    /// Counts the found documents of a segment.
    ///
    /// - Throws: when the search is to end; the tally means nothing then.
    mutating func add(_ part: Part, _ control: SearchControl?) throws(SearchStop) {
        var pace = CheckPace(control)
        for (key, count) in part.counts {
            try pace.step()
            counts[key, default: 0] += count
        }
        documents += part.documents
        missing += part.missing
    }

    /// The most frequent values, in their order.
    ///
    /// - Parameter bytes: of the message that will hold them; all that can fit it are here, and one
    ///   more, if there is one, to say what is left out.
    /// - Throws: when the search is to end.
    package func listing(
        within bytes: Int, _ control: SearchControl?
    ) throws(SearchStop) -> WireFacetCounts {
        var pace = CheckPace(control)
        var first = MostFrequentValues(capacity: bytes / WireFacetCounts.leastValueBytes + 2)
        for (key, count) in counts {
            try pace.step()
            first.add(key, count: count)
        }
        var wire = summary
        wire.values = first.take().map { Self.value($0.key, $0.count) }
        return wire
    }

    static func value(_ key: FacetKey, _ count: UInt64) -> WireFacetValue {
        var value = WireFacetValue()
        value.count = count
        switch key {
        case .number(let bits): value.number = Double(bitPattern: bits)
        case .date(let bits): value.date = Double(bitPattern: bits)
        case .text(let bytes):
            value.text = String(decoding: bytes, as: UTF8.self)
            let folded = foldedKey(of: value.text)
            if folded != bytes { value.folded = String(decoding: folded, as: UTF8.self) }
        }
        return value
    }
}
