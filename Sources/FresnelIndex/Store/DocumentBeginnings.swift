import FresnelKernels

// Most hits of a long answer are an identifier and nothing else: what an encoded document begins
// with. In nearly all documents that is three bytes, the same for all, and the identifier, which
// stands elsewhere already. So a packed block need not be unpacked for such a hit.

/// How the documents of a packed segment begin.
struct DocumentBeginnings: Sendable {
    /// The three bytes before the identifier, the lowest first.
    let head: UInt32
    /// The documents that begin otherwise, ascending.
    let others: PackedArray<UInt32>

    /// Bytes of a beginning beside the identifier, at most.
    static let headBytes = 3 + LEB128Gaps.byteLimit

    /// Appends what stands before the attributes of a document that `isKnown`, with its unique
    /// identifier.
    @inline(__always)
    func append(_ identifier: Span<UInt8>, to bytes: inout OutputSpan<UInt8>) {
        for place in 0..<3 as Range<UInt32> {
            bytes.append(UInt8(truncatingIfNeeded: head &>> (8 &* place)))
        }
        LEB128Gaps.append(UInt32(truncatingIfNeeded: identifier.count), to: &bytes)
        bytes.append(copying: identifier)
    }

    /// Whether a document begins as most do.
    func isKnown(_ document: DocumentNumber) -> Bool {
        guard others.count > 0 else { return true }
        let place = Bisection.end(from: 0, to: others.count) { others[$0] < document }
        return place >= others.count || others[place] != document
    }
}

extension DocumentBeginnings {
    /// The beginnings of a segment; nil when it is not packed.
    init?(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        guard table.bytes(of: Section(.beginnings)) != nil else { return nil }
        var reader = try table.reader(of: Section(.beginnings))
        head = UInt32(try reader.count(limit: 0xFF_FFFF))
        let count = try reader.count(limit: counts.documents)
        others = try reader.array(count: count)
        try reader.requireEnd()
    }
}

/// The beginnings of the documents of a new segment.
struct DocumentBeginningContents {
    private(set) var head: UInt32 = 0
    private(set) var others: [UInt32] = []

    init(_ documents: StringArena, _ identifiers: StringArena) {
        let heads = (0..<documents.count).map {
            Self.head(of: documents[$0], identifiers[$0])
        }
        var counts: [UInt32: Int] = [:]
        for head in heads.compactMap(\.self) { counts[head, default: 0] += 1 }
        let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        head = best?.key ?? 0
        others = heads.indices.filter { best == nil || heads[$0] != head }.map { UInt32($0) }
    }

    /// The three bytes before an identifier that is followed by the attributes; nil where the
    /// document has another beginning.
    private static func head(of document: Span<UInt8>, _ identifier: Span<UInt8>) -> UInt32? {
        var length: [UInt8] = []
        LEB128Gaps.append(UInt32(identifier.count), to: &length)
        let start = 3 + length.count
        // The third byte says what stands between identifier and attributes: here nothing.
        guard document.count > start + identifier.count, document[2] == 0,
            ByteOrder.compare(document.extracting(3..<start), length.span) == 0,
            ByteOrder.compare(
                document.extracting(start..<start + identifier.count), identifier) == 0
        else { return nil }
        return UInt32(document[0]) | UInt32(document[1]) << 8
    }

    func write(to writer: inout SectionWriter) {
        writer.number(Int(head))
        writer.number(others.count)
        writer.array(others)
    }
}
