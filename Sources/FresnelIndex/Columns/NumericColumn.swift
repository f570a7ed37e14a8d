package import FresnelKernels
package import FresnelQuery

// Two views of the same numbers. By document: rows with zone maps, for sorting and for testing
// candidates. By value: a permutation sorted by number, in which an interval is two binary
// searches. Numbers and dates of one attribute have a column each; dates count seconds since 2001.

/// The numbers, or the dates, of one attribute.
package struct NumericColumn: Sendable {
    /// Which documents have the attribute; rows are numbered by it.
    package let presence: Presence
    /// Least and greatest number of every 4096 documents.
    package let zones: ZoneMap
    /// Whether some document has more than one number.
    package var isMultiValued: Bool { rowOffsets.count > 0 }

    /// Where each row begins in `values`, and where the last ends; empty for one number a row.
    let rowOffsets: PackedArray<UInt32>
    /// The numbers of each row, in the order of the elements; NaN for none, where one a row.
    let values: PackedArray<Double>
    /// All numbers, ascending; a number that a document repeats stands once.
    let sortedValues: PackedArray<Double>
    /// The document of each sorted number.
    let sortedDocuments: PackedArray<UInt32>
    /// Whether equal numbers stand by the identifiers of their documents, as sorted answers do; in
    /// segments of version 1 they stand by document.
    let hasRankedTies: Bool

    /// The numbers of a document, in the order of the elements; never NaN.
    @_lifetime(borrow self)
    package borrowing func values(of document: DocumentNumber) -> Span<Double> {
        guard let row = presence.row(of: document) else { return values.span.extracting(0..<0) }
        return values.span.extracting(range(ofRow: row))
    }

    /// A document's first number, or NaN.
    @inline(__always)
    package func firstValue(of document: DocumentNumber) -> Double {
        guard let row = presence.row(of: document) else { return .nan }
        let range = range(ofRow: row)
        return range.isEmpty ? .nan : values[range.lowerBound]
    }

    /// The number of entries of the sorted view.
    package var entryCount: Int { sortedDocuments.count }

    /// The entries of the sorted view whose number lies in an interval.
    package func entries(in interval: NumericInterval) -> Range<Int> {
        let lower = partition { value in
            interval.includesLower ? value < interval.lower : value <= interval.lower
        }
        let upper = partition { value in
            interval.includesUpper ? value <= interval.upper : value < interval.upper
        }
        return lower..<max(lower, upper)
    }

    /// The documents of entries; repeated only where a document has several numbers.
    @_lifetime(borrow self)
    package borrowing func documents(of entries: Range<Int>) -> Span<DocumentNumber> {
        sortedDocuments.span.extracting(entries)
    }

    /// The numbers of entries, ascending.
    @_lifetime(borrow self)
    package borrowing func numbers(of entries: Range<Int>) -> Span<Double> {
        sortedValues.span.extracting(entries)
    }

    /// Adds the documents that have a number in an interval to a set.
    package func insertDocuments(in interval: NumericInterval, into set: inout Bitset) {
        set.insertKnown(sortedDocuments.span.extracting(entries(in: interval)))
    }

    /// The first entry, from `floor` on, whose number is that of an entry.
    func firstEntry(equalTo entry: Int, from floor: Int) -> Int {
        let value = sortedValues[entry]
        var high = entry
        var step = 1
        // Mostly few numbers are equal: steps that double, then halves.
        while high - step >= floor, sortedValues[high - step] == value {
            high -= step
            step *= 2
        }
        var low = max(floor, high - step)
        while low < high {
            let middle = low + (high - low) / 2
            if sortedValues[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func partition(_ isBelow: (Double) -> Bool) -> Int {
        var low = 0
        var high = sortedValues.count
        while low < high {
            let middle = low + (high - low) / 2
            if isBelow(sortedValues[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    private func range(ofRow row: Int) -> Range<Int> {
        if isMultiValued { return rowOffsets.range(row, limit: values.count) }
        return row < values.count && !values[row].isNaN ? row..<row + 1 : 0..<0
    }
}
