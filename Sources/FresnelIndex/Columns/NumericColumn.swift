import FresnelKernels
package import FresnelQuery

// Two views of the same numbers. By document: rows with zone maps, for sorting and for testing
// candidates. By value: a permutation sorted by number, in which an interval is two binary
// searches. Numbers and dates of one attribute have a column each; dates count seconds since 2001.
// A packed segment has whole numbers as steps (`CodedNumbers`), and by value only the documents:
// their rows have the numbers.

/// The numbers, or the dates, of one attribute.
///
/// A class, so that taking it along counts one reference, not those of all arrays.
package final class NumericColumn: Sendable {
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
    /// The number of each row as steps, where `values` is empty.
    let codes: CodedNumbers
    /// All numbers, ascending; a number that a document repeats stands once.
    ///
    /// Empty where `codes` are used.
    let sortedValues: PackedArray<Double>
    /// The document of each sorted number.
    let sortedDocuments: SortedDocuments
    /// Whether equal numbers stand by the identifiers of their documents, as sorted answers do; in
    /// segments of version 1 they stand by document.
    let hasRankedTies: Bool

    init(
        presence: Presence, zones: ZoneMap, rowOffsets: PackedArray<UInt32>,
        values: PackedArray<Double>, codes: CodedNumbers, sortedValues: PackedArray<Double>,
        sortedDocuments: SortedDocuments, hasRankedTies: Bool
    ) {
        self.presence = presence
        self.zones = zones
        self.rowOffsets = rowOffsets
        self.values = values
        self.codes = codes
        self.sortedValues = sortedValues
        self.sortedDocuments = sortedDocuments
        self.hasRankedTies = hasRankedTies
    }

    /// The numbers of a document, in the order of the elements; never NaN.
    package func values(of document: DocumentNumber) -> [Double] {
        var numbers: [Double] = []
        forEachValue(of: document) { numbers.append($0) }
        return numbers
    }

    /// Calls `body` with the numbers of a document, in the order of the elements; never NaN.
    @inline(__always)
    func forEachValue(of document: DocumentNumber, _ body: (Double) -> Void) {
        guard let row = presence.row(of: document) else { return }
        if codes.isUsed {
            let number = codes[row]
            return number.isNaN ? () : body(number)
        }
        for place in range(ofRow: row) { body(values[place]) }
    }

    /// A document's first number, or NaN.
    @inline(__always)
    package func firstValue(of document: DocumentNumber) -> Double {
        guard let row = presence.row(of: document) else { return .nan }
        if codes.isUsed { return codes[row] }
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

    /// Calls `body` with the documents of entries; repeated only where a document has several
    /// numbers.
    package func withDocuments<Answer, Failure: Error>(
        of entries: Range<Int>, _ body: (Span<DocumentNumber>) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try sortedDocuments.withDocuments(entries, body)
    }

    /// The number of an entry; numbers ascend with entries.
    @inline(__always)
    package func number(ofEntry entry: Int) -> Double {
        !codes.isUsed ? sortedValues[entry] : firstValue(of: sortedDocuments[entry])
    }

    /// The first entry, from `floor` on, whose number is that of an entry.
    func firstEntry(equalTo entry: Int, from floor: Int) -> Int {
        let value = number(ofEntry: entry)
        var high = entry
        var step = 1
        // Mostly few numbers are equal: steps that double, then halves.
        while high - step >= floor, number(ofEntry: high - step) == value {
            high -= step
            step *= 2
        }
        return Bisection.end(from: max(floor, high - step), to: high) {
            number(ofEntry: $0) < value
        }
    }

    private func partition(_ isBelow: (Double) -> Bool) -> Int {
        let range = codes.isUsed ? sampled(isBelow) : 0..<sortedDocuments.count
        return Bisection.end(from: range.lowerBound, to: range.upperBound) {
            isBelow(number(ofEntry: $0))
        }
    }

    /// The entries between two samples where numbers cease to be below.
    private func sampled(_ isBelow: (Double) -> Bool) -> Range<Int> {
        let samples = codes.samples
        let first = Bisection.end(from: 0, to: samples.count) { isBelow(samples[$0]) }
        let length = CodedNumbers.sampleLength
        let high = min(sortedDocuments.count, first * length)
        return (first == 0 ? 0 : min(high, (first - 1) * length + 1))..<high
    }

    @inline(__always)
    private func range(ofRow row: Int) -> Range<Int> {
        if isMultiValued { return rowOffsets.range(row, limit: values.count) }
        return row < values.count && !values[row].isNaN ? row..<row + 1 : 0..<0
    }
}
