import FresnelKernels

// Inside a segment documents are compared by numbers: bits of scores and values, ranks of texts.
// Byte keys, which compare across segments and shards, are made only of documents that are sent.

/// The order of an answer inside one segment.
package struct SegmentOrder: Sendable {
    let columns: [SortColumn]
    /// Whether the score alone is compared: told apart once, since taking a column out of the list
    /// counts references.
    private let isScoreAlone: Bool
    private let segment: Segment
    private let index: [UInt8]
    /// Stand before and behind every key, where that alone is not a total order of what is sent.
    var frame: (before: [UInt8], behind: [UInt8]) = ([], [])

    /// Prepares the order in a segment of an index.
    package init(_ fields: [SortField], in segment: Segment, index: String) {
        columns = fields.map { SortColumn($0, in: segment) }
        isScoreAlone = columns.count == 1 && columns[0].isScore
        self.segment = segment
        self.index = Array(index.utf8)
    }

    /// The sort key of a document: comparable with those of every other segment and shard.
    package func key(of document: DocumentNumber, score: Double) -> [UInt8] {
        // Few identifiers are longer than 40 bytes, for which an array has to grow.
        var key = OrderedKey(capacity: 16 * columns.count + 40 + index.count + 8)
        if isScoreAlone {
            key.append(score: score, descending: columns[0].isDescending)
        } else {
            for column in columns { column.append(document, score: score, to: &key) }
        }
        segment.identifiers.append(of: document, to: &key)
        key.append(span: index.span)
        guard !frame.before.isEmpty || !frame.behind.isEmpty else { return key.bytes }
        return frame.before + key.bytes + frame.behind
    }

    /// Whether a hit of the segment comes before another.
    func precedes(_ left: PlacedHit, _ right: PlacedHit) -> Bool {
        if left.first != right.first { return left.first < right.first }
        for column in columns.dropFirst() {
            let here = column.place(of: left.document, score: left.score)
            let there = column.place(of: right.document, score: right.score)
            if here != there { return here < there }
        }
        return segment.identifiers.rank(of: left.document)
            < segment.identifiers.rank(of: right.document)
    }
}
