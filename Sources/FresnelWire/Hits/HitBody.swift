import FresnelKernels
package import FresnelModel

// hit-body = flags [score(8)] index-name [highlights] [explanation] [expiration] document
//                                                   (protocol.md, clauses B-2, B-5, B-6, B-8)

/// One hit as the worker writes it and the client reads it.
package struct HitBody: Hashable, Sendable {
    /// What places a hit in the digest of an answer, read without decoding the document.
    package struct Identity: Hashable, Sendable {
        /// The UTF-8 of the unique identifier.
        package let identifier: [UInt8]
        /// The score; nil where the order is not by relevance.
        package let score: Double?
    }

    /// The index the document is in.
    package var index: String
    /// The score; nil where the order is not by relevance.
    package var score: Double?
    /// The encoded document (`DocumentCoding`), usually projected.
    package var document: [UInt8]
    /// What of the document matched; nil where nobody asked.
    package var highlights: [AttributeHighlights]?
    /// How the score came about; nil where nobody asked.
    package var explanation: ScoreExplanation?
    /// When the document vanishes; nil where nobody asked.
    package var expiration: DocumentExpiration?

    /// Makes a hit.
    package init(
        index: String, score: Double?, document: [UInt8], highlights: [AttributeHighlights]? = nil
    ) {
        self.index = index
        self.score = score
        self.document = document
        self.highlights = highlights
    }

    /// Reads a hit from all of `bytes`, or from a part; the document stays encoded.
    package init(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) {
        let hit = try DecodedHit.Parts(bytes, in: range, limits: limits)
        score = hit.score
        index = hit.index
        highlights = hit.highlights
        explanation = hit.explanation
        expiration = hit.expiration
        document = Array(bytes[hit.document])
    }

    /// The encoded hit.
    package func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: 16 + index.utf8.count + document.count)
        var flags: Flags = []
        if score != nil { flags.insert(.score) }
        if highlights != nil { flags.insert(.highlights) }
        if explanation != nil { flags.insert(.explanation) }
        if let expiration { flags.insert(expiration == .never ? .never : .expiration) }
        writer.write(flags.rawValue)
        if let score { writer.write(score) }
        writer.writeText(index)
        if let highlights { writer.writeSlice(HighlightCoding.encode(highlights)) }
        if let explanation { writer.writeSlice(ExplanationCoding.encode(explanation)) }
        if case .at(let time) = expiration { writer.write(time.seconds) }
        writer.writeRaw(document)
        return writer.bytes
    }

    /// Appends a hit of a document without attributes, as `encode` writes it.
    ///
    /// - Parameters:
    ///   - beginning: what stands before the attributes of the encoded document.
    ///   - index: the name of the index in UTF-8, shorter than 128 bytes.
    package static func append(
        index: Span<UInt8>, score: Double?, beginning: Span<UInt8>, to bytes: inout [UInt8]
    ) {
        append(index: index, score: score, to: &bytes, room: beginning.count) {
            $0.append(copying: beginning)
        }
    }

    /// The same with a beginning of at most so many bytes, which `beginning` appends.
    package static func append(
        index: Span<UInt8>, score: Double?, to bytes: inout [UInt8], room: Int,
        beginning: (inout OutputSpan<UInt8>) -> Void
    ) {
        precondition(index.count < 0x80, "a name of \(index.count) bytes")
        bytes.append(addingCapacity: 11 + index.count + room) { bytes in
            bytes.append(score == nil ? 0 : Flags.score.rawValue)
            if let score { bytes.append(littleEndian: score.bitPattern) }
            bytes.append(UInt8(index.count))
            bytes.append(copying: index)
            beginning(&bytes)
            bytes.append(0)
        }
    }

    /// The document.
    package func decodeDocument(
        limits: WireLimits = .standard
    ) throws(WireError) -> Document {
        try DocumentCoding.decode(document, limits: limits)
    }

    /// Identifier and score of an encoded hit.
    package static func identity(
        of bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) -> Identity {
        var reader = try WireReader(bytes, in: range, as: .hit)
        let flags = try Flags(&reader)
        let score = flags.contains(.score) ? try reader.double() : nil
        _ = try reader.slice(limit: limits.identifierBytes)
        if flags.contains(.highlights) { _ = try reader.slice() }
        if flags.contains(.explanation) { _ = try reader.slice() }
        if flags.contains(.expiration) { _ = try reader.double() }
        let layout = try DocumentLayout(bytes, in: try reader.rest(), limits: limits)
        return Identity(identifier: reader.copy(layout.identifier), score: score)
    }

    /// What stands in a hit beside index and document.
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let score = Flags(rawValue: 1)
        static let highlights = Flags(rawValue: 2)
        static let explanation = Flags(rawValue: 4)
        static let expiration = Flags(rawValue: 8)
        static let never = Flags(rawValue: 16)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ reader: inout WireReader) throws(WireError) {
            rawValue = try reader.byte()
            guard rawValue <= 31, !contains([.expiration, .never]) else {
                throw reader.broken(
                    "flags \(rawValue); only bits 0 to 4 are defined, and not 3 with 4")
            }
        }
    }
}
