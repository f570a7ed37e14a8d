import FresnelKernels

// Inside a segment documents are compared by numbers: bits of scores and values, ranks of texts.
// Byte keys, which compare across segments and shards, are made only of documents that are sent.

/// The order of an answer inside one segment.
///
/// A class, as it is taken along by whatever compares two hits.
package final class SegmentOrder: Sendable {
    /// What stands before and behind every key, where that alone is not a total order of what is
    /// sent.
    struct Frame: Sendable {
        let before: [UInt8]
        let behind: [UInt8]
    }

    let columns: [SortColumn]
    /// The direction of the score where it alone is compared; nil where more is.
    ///
    /// Told apart once, since taking a column out of the list counts references.
    private let scoreIsDescending: Bool?
    /// Whether a key is the first field's number, the identifier and the index.
    let hasPlainKeys: Bool
    private let segment: Segment
    private let indexName: [UInt8]
    private let frame: Frame?
    /// What most answers are ordered by.
    private static let relevance = [SortColumn(.score, isDescending: true)]

    /// Prepares the order in a segment of an index, whose name is given in UTF-8.
    init(
        _ fields: [SortField], in segment: Segment, indexName: [UInt8], frame: Frame? = nil
    ) {
        columns =
            fields.count == 1 && fields[0].isRelevance
            ? Self.relevance : fields.map { SortColumn($0, in: segment, indexName: indexName) }
        scoreIsDescending =
            columns.count == 1 && columns[0].isScore ? columns[0].isDescending : nil
        hasPlainKeys = frame == nil && columns.count == 1 && columns[0].isNumber
        self.segment = segment
        self.indexName = indexName
        self.frame = frame
    }

    /// The sort key of a document: comparable with those of every other segment and shard.
    func key(of document: DocumentNumber, score: Double) -> [UInt8] {
        var key = OrderedKey()
        append(document, score: score, to: &key)
        return key.bytes
    }

    /// Appends the same to what stands in `key` already.
    ///
    /// - Returns: where the document's identifier stands as it is, so that it need not be read
    ///   again; nil where it was changed.
    @discardableResult
    func append(
        _ document: DocumentNumber, score: Double, to key: inout OrderedKey
    ) -> Range<Int>? {
        let name = indexName
        if let scoreIsDescending, frame == nil {
            return segment.identifiers.withIdentifier(of: document) { identifier in
                key.append(
                    score: score, descending: scoreIsDescending, identifier, name.span)
            }
        }
        if let frame { key.append(raw: frame.before.span) }
        for column in columns { column.append(document, score: score, to: &key) }
        let identifier = segment.identifiers.withIdentifier(of: document) {
            key.append(span: $0)
        }
        key.append(span: name.span)
        if let frame { key.append(raw: frame.behind.span) }
        return identifier
    }

    /// The first field of documents as numbers of the segment (`SortColumn.place`); empty where the
    /// order has no field, and where it is by score alone, which `place(ofScore:)` tells.
    func firstPlaces(of documents: [DocumentNumber], scores: [Double]) -> [UInt64] {
        guard scoreIsDescending == nil else { return [] }
        return columns.first?.places(of: documents, scores: scores) ?? []
    }

    /// Whether scores alone say which of two hits of different segments comes first, unless they
    /// are equal.
    var isByScore: Bool { scoreIsDescending != nil && frame == nil }

    /// The place of a score where the order is by it alone; else 0.
    @inline(__always)
    func place(ofScore score: Double) -> UInt64 {
        guard let scoreIsDescending else { return 0 }
        let bits = OrderedKey.sortableBits(of: score)
        return scoreIsDescending ? ~bits : bits
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
