import FresnelKernels
import FresnelModel

// Nearly all hits of a long answer are of documents without attributes, and differ from the one
// before in score and identifier alone. What stands between these two is compared at once with that
// hit's, which was read in full, and so are the hundreds behind it.

/// Reads the hits of a batch that differ from one before in score and identifier alone.
package struct PlainHits {
    /// What such a hit has of its own.
    package struct Hit: Hashable {
        /// The key of its document.
        package let identifier: String
        /// The score; nil where the order is not by relevance.
        package let score: Double?

        /// Whether both are the same hit, identifiers byte by byte.
        package static func == (left: Hit, right: Hit) -> Bool {
            left.identifier.hasSameBytes(as: right.identifier) && left.score == right.score
        }
    }

    private let batch: HitBatchReader
    private let identifierBytes: Int
    /// What the hit that was read in full has between score and length of the identifier.
    ///
    /// Index, version, kind, and that nothing else is there. Empty until there is one.
    private var frame = 0..<0

    /// Begins; every hit is to be read in full until `follow` was told of one.
    package init(_ batch: HitBatchReader, limits: WireLimits = .standard) {
        self.batch = batch
        identifierBytes = limits.identifierBytes
    }

    /// Compares the hits behind with this one, which `DecodedHit` has read.
    package mutating func follow(_ position: Int) {
        frame = 0..<0
        let body = batch.bodyRange(position)
        let whole = batch.bytes
        let bytes = whole.span
        guard let start = Self.start(bytes, body), start < body.upperBound, bytes[start] < 0x80
        else { return }
        let end = start + 1 + Int(bytes[start]) + Self.headBytes
        guard end < body.upperBound, bytes[end - 1] == 0 else { return }
        frame = start..<end
    }

    /// A hit that differs in score and identifier alone; nil where it is another, or not right:
    /// `DecodedHit` tells.
    package func hit(_ position: Int) -> Hit? {
        let body = batch.bodyRange(position)
        let whole = batch.bytes
        let bytes = whole.span
        guard !frame.isEmpty, let start = Self.start(bytes, body) else { return nil }
        var offset = start + frame.count
        guard offset + 2 < body.upperBound,
            ByteOrder.compare(
                bytes.extracting(start..<offset), bytes.extracting(frame)) == 0
        else { return nil }
        var count = Int(bytes[offset])
        offset += 1
        if count >= 0x80 {
            guard bytes[offset] > 0, bytes[offset] < 0x80 else { return nil }
            count = count & 0x7F | Int(bytes[offset]) << 7
            offset += 1
        }
        // Behind the identifier stands the number of attributes, and nothing else.
        guard count <= identifierBytes, offset + count == body.upperBound - 1,
            bytes[offset + count] == 0
        else { return nil }
        var score: Double?
        if start > body.lowerBound + 1 {
            score = Double(bitPattern: Self.word(bytes, at: body.lowerBound + 1))
            guard score?.isFinite == true else { return nil }
        }
        // What is not UTF-8 is refused by the reader of all hits, which says where.
        guard let text = try? UTF8Span(validating: bytes.extracting(offset..<offset + count))
        else { return nil }
        return Hit(identifier: String(copying: text), score: score)
    }

    /// Version, kind and presence of a document.
    private static let headBytes = 3

    /// Where the index of a hit begins; nil of one with highlights or an explanation.
    private static func start(_ bytes: Span<UInt8>, _ body: Range<Int>) -> Int? {
        guard !body.isEmpty else { return nil }
        switch bytes[body.lowerBound] {
        case 0: return body.lowerBound + 1
        case HitBody.Flags.score.rawValue:
            let start = body.lowerBound + 9
            return start <= body.upperBound ? start : nil
        default: return nil
        }
    }

    private static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
}
