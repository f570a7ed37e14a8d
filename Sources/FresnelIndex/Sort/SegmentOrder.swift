import FresnelKernels

// Inside a segment documents are compared by numbers: bits of scores and values, ranks of texts.
// Byte keys, which compare across segments and shards, are made only of documents that are sent.

/// The order of an answer inside one segment.
package struct SegmentOrder: Sendable {
    let columns: [SortColumn]
    private let segment: Segment
    private let index: [UInt8]
    /// Stand before and behind every key, where that alone is not a total order of what is sent.
    var frame: (before: [UInt8], behind: [UInt8]) = ([], [])

    /// Prepares the order in a segment of an index.
    package init(_ fields: [SortField], in segment: Segment, index: String) {
        columns = fields.map { SortColumn($0, in: segment) }
        self.segment = segment
        self.index = Array(index.utf8)
    }

    /// The sort key of a document: comparable with those of every other segment and shard.
    package func key(of document: DocumentNumber, score: Double) -> [UInt8] {
        var key = OrderedKey()
        for column in columns { column.append(document, score: score, to: &key) }
        let identifiers = segment.identifiers
        key.append(
            bytes: [UInt8](copying: identifiers.identifier(of: document)), descending: false)
        key.append(bytes: index, descending: false)
        return frame.before + key.bytes + frame.behind
    }

    /// The first `limit` of the found documents in order, as places in `documents`.
    package func first(
        _ limit: Int?, of documents: [DocumentNumber], scores: [Double]
    ) -> [UInt32] {
        var top = TopPlaces(limit: min(limit ?? documents.count, documents.count))
        let firsts = columns.first?.places(of: documents, scores: scores) ?? []
        for place in documents.indices {
            let first = firsts.isEmpty ? 0 : firsts[place]
            if let least = top.worstFirst, first > least { continue }
            let candidate = TopPlaces.Candidate(first: first, place: UInt32(place))
            top.insert(candidate) { precedes($0, $1, documents, scores) }
        }
        return top.sorted { precedes($0, $1, documents, scores) }
    }

    func precedes(
        _ left: TopPlaces.Candidate, _ right: TopPlaces.Candidate, _ documents: [DocumentNumber],
        _ scores: [Double]
    ) -> Bool {
        if left.first != right.first { return left.first < right.first }
        let (mine, other) = (documents[Int(left.place)], documents[Int(right.place)])
        for column in columns.dropFirst() {
            let isScored = column.isScore && !scores.isEmpty
            let here = column.place(of: mine, score: isScored ? scores[Int(left.place)] : 0)
            let there = column.place(of: other, score: isScored ? scores[Int(right.place)] : 0)
            if here != there { return here < there }
        }
        return segment.identifiers.rank(of: mine) < segment.identifiers.rank(of: other)
    }
}
