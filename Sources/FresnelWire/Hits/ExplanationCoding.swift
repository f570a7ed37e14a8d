import FresnelKernels
package import FresnelModel

// explanation = saturation length-share count *term                 (protocol.md, clause B-6)
// term        = query documents matching rarity weighted contribution count *attribute
// attribute   = name occurrences length weight reference weighted
//
// Every factor travels, not only those from which the others follow: the reader shows bits, it does
// not compute them.

/// The explanation of one hit's score ⇄ bytes.
package enum ExplanationCoding {
    /// Bytes beyond which attributes are left out, so that a hit stays within its limits.
    private static let byteLimit = 64 << 10
    /// UTF-8 bytes of a predicate's spelling.
    private static let queryBytes = 256

    /// Encodes an explanation; a very long one without its attributes.
    package static func encode(_ explanation: ScoreExplanation) -> [UInt8] {
        let whole = encode(explanation, withAttributes: true)
        return whole.count <= byteLimit ? whole : encode(explanation, withAttributes: false)
    }

    private static func encode(
        _ explanation: ScoreExplanation, withAttributes: Bool
    ) -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.write(explanation.saturation)
        writer.write(explanation.lengthShare)
        writer.writeVarint(UInt64(explanation.terms.count))
        for term in explanation.terms {
            writer.writeText(term.query.shortened(to: queryBytes))
            writer.writeVarint(term.documents)
            writer.writeVarint(term.matching)
            for factor in [term.rarity, term.weighted, term.contribution] { writer.write(factor) }
            let attributes = withAttributes ? term.attributes : []
            writer.writeVarint(UInt64(attributes.count))
            for attribute in attributes { write(attribute, to: &writer) }
        }
        return writer.bytes
    }

    private static func write(
        _ attribute: ScoreExplanation.Attribute, to writer: inout ByteWriter
    ) {
        writer.writeText(attribute.name)
        writer.writeVarint(UInt64(attribute.occurrences))
        writer.writeVarint(UInt64(attribute.length))
        for factor in [attribute.weight, attribute.referenceLength, attribute.weighted] {
            writer.write(factor)
        }
    }

    /// Decodes an explanation from all of `bytes`, or from a part.
    ///
    /// - Throws: `WireError` for bytes that end early, go on, or hold what is no number.
    package static func decode(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) -> ScoreExplanation {
        var reader = try WireReader(bytes, in: range, as: .hit)
        var explanation = ScoreExplanation(
            terms: [], saturation: try reader.double(), lengthShare: try reader.double())
        // A term takes at least 28 bytes, an attribute 27.
        for _ in 0..<(try reader.count(limit: Limits.queryPredicates, bytesEach: 28)) {
            explanation.terms.append(try term(&reader, limits))
        }
        try reader.requireEnd()
        return explanation
    }

    private static func term(
        _ reader: inout WireReader, _ limits: WireLimits
    ) throws(WireError) -> ScoreExplanation.Term {
        var term = ScoreExplanation.Term(
            query: try reader.text(limit: queryBytes), documents: try reader.varint(),
            matching: try reader.varint(), rarity: try reader.double())
        term.weighted = try reader.double()
        term.contribution = try reader.double()
        for _ in 0..<(try reader.count(limit: limits.attributes + 2, bytesEach: 27)) {
            term.attributes.append(
                ScoreExplanation.Attribute(
                    name: try reader.text(limit: limits.attributeNameBytes),
                    occurrences: try number(&reader), length: try number(&reader),
                    weight: try reader.double(), referenceLength: try reader.double(),
                    weighted: try reader.double()))
        }
        return term
    }

    private static func number(_ reader: inout WireReader) throws(WireError) -> Int {
        let number = try reader.varint()
        guard let number = Int(exactly: number) else {
            throw reader.broken("a count of \(number)")
        }
        return number
    }
}
