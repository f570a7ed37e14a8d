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
            let row = lists[index]
            if !row.isEmpty { counts[zone] += 1 }
            for value in row {
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
        var entries: [(value: Double, document: UInt32)] = []
        entries.reserveCapacity(lists.elements.count)
        for (index, document) in documentsOfRows.enumerated() {
            for value in lists[index] { entries.append((value + 0, document)) }  // -0 becomes +0
        }
        if ranks.isEmpty {
            entries.sort { ($0.value, $0.document) < ($1.value, $1.document) }
        } else {
            entries.sort { left, right in
                left.value != right.value
                    ? left.value < right.value
                    : ranks[Int(left.document)] < ranks[Int(right.document)]
            }
        }
        values.reserveCapacity(entries.count)
        documents.reserveCapacity(entries.count)
        for entry in entries {
            if let document = documents.last, document == entry.document,
                values[values.count - 1] == entry.value
            {
                continue  // the document repeats the number
            }
            values.append(entry.value)
            documents.append(entry.document)
        }
    }
}
