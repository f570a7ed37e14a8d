import FresnelKernels
package import FresnelModel

// hit-body = flags [score(8)] index-name document        (protocol.md, clause B-2)

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

    /// Makes a hit.
    package init(index: String, score: Double?, document: [UInt8]) {
        self.index = index
        self.score = score
        self.document = document
    }

    /// Reads a hit from all of `bytes`, or from a part; the document stays encoded.
    package init(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) {
        var reader = try WireReader(bytes, in: range, as: .hit)
        score = try Self.score(&reader)
        index = try reader.text(limit: limits.identifierBytes)
        document = reader.copy(try reader.rest())
    }

    /// The encoded hit.
    package func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: 16 + index.utf8.count + document.count)
        writer.write(UInt8(score == nil ? 0 : 1))
        if let score { writer.write(score) }
        writer.writeText(index)
        writer.writeRaw(document)
        return writer.bytes
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
        let score = try score(&reader)
        _ = try reader.slice(limit: limits.identifierBytes)
        let layout = try DocumentLayout(bytes, in: try reader.rest(), limits: limits)
        return Identity(identifier: reader.copy(layout.identifier), score: score)
    }

    private static func score(_ reader: inout WireReader) throws(WireError) -> Double? {
        let flags = try reader.byte()
        guard flags <= 1 else { throw reader.broken("flags \(flags); only bit 0 is defined") }
        return flags == 1 ? try reader.double() : nil
    }
}
