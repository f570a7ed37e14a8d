import FresnelWire

extension FacetCounts {
    /// Reads a facet of DONE.
    init(_ counts: WireFacetCounts, _ booleans: BooleanAttributes) {
        self.init(
            attribute: counts.attribute, entries: counts.values.compactMap(Entry.init),
            documents: counts.documents, missing: counts.missing,
            distinct: counts.hasDistinct ? counts.distinct : nil, bound: counts.bound,
            rounds: max(1, Int(counts.rounds)))
        for place in entries.indices {
            entries[place].value = booleans.shown(entries[place].value, of: attribute)
        }
    }
}

extension FacetCounts.Entry {
    /// Reads a value; nil for one of a kind that a newer broker knows.
    fileprivate init?(_ value: WireFacetValue) {
        switch value.value {
        case .text(let text): self.init(.string(text), count: value.count)
        case .number(let number): self.init(.number(number), count: value.count)
        case .date(let seconds):
            guard let date = Timestamp(seconds: seconds) else { return nil }
            self.init(.date(date), count: value.count)
        case nil: return nil
        }
    }
}
