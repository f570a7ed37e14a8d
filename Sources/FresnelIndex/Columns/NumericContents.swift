import FresnelKernels

/// The zones of a new numeric column.
struct ZoneContents {
    private(set) var minima: [Double]
    private(set) var maxima: [Double]
    private(set) var counts: [UInt32]

    init(_ lists: RowLists<Double>, of documents: [UInt32], documentCount: Int) {
        let count = (documentCount + SegmentFormat.zoneLength - 1) / SegmentFormat.zoneLength
        minima = [Double](repeating: .infinity, count: count)
        maxima = [Double](repeating: -.infinity, count: count)
        counts = [UInt32](repeating: 0, count: count)
        for (index, document) in documents.enumerated() {
            let zone = Int(document) / SegmentFormat.zoneLength
            let row = lists.range(index)
            if !row.isEmpty { counts[zone] += 1 }
            for place in row {
                let value = lists.elements[place]
                minima[zone] = min(minima[zone], value)
                maxima[zone] = max(maxima[zone], value)
            }
        }
    }
}

/// The numbers of a new column in the order (number, place of the document's identifier).
struct SortedNumberContents {
    private(set) var values: [Double] = []
    private(set) var documents: [UInt32] = []

    /// - Parameter ranks: the place of each document's identifier, or nothing to have equal numbers
    ///   in the order of documents, as version 1 had them.
    init(_ lists: RowLists<Double>, of documentsOfRows: [UInt32], ranks: [UInt32]) {
        var entries: [RadixSort.Entry] = []
        entries.reserveCapacity(lists.elements.count)
        for (index, document) in documentsOfRows.enumerated() {
            let rank = ranks.isEmpty ? document : ranks[Int(document)]
            for place in lists.range(index) {
                // The number's place, until its order among equal ones is known.
                entries.append(RadixSort.Entry(key: UInt64(rank), value: UInt32(place)))
            }
        }
        RadixSort.sort(&entries)
        var documents = [UInt32](repeating: 0, count: lists.elements.count)
        for (index, document) in documentsOfRows.enumerated() {
            for place in lists.range(index) { documents[place] = document }
        }
        for index in entries.indices {
            let place = Int(entries[index].value)
            // Bits that make +0 of −0.
            entries[index] = RadixSort.Entry(
                key: OrderedKey.sortableBits(of: lists.elements[place]), value: documents[place])
        }
        RadixSort.sort(&entries)
        append(entries)
    }

    private mutating func append(_ entries: [RadixSort.Entry]) {
        values.reserveCapacity(entries.count)
        documents.reserveCapacity(entries.count)
        for entry in entries {
            let value = OrderedKey.number(fromSortableBits: entry.key)
            if let document = documents.last, document == entry.value,
                values[values.count - 1] == value
            {
                continue  // the document repeats the number
            }
            values.append(value)
            documents.append(entry.value)
        }
    }
}
