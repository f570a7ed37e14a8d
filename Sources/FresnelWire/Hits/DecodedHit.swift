package import FresnelModel

/// One hit with its document, read in one go: what a client does with each of thousands.
package struct DecodedHit: Sendable {
    /// The index the document is in.
    package let index: String
    /// The score; nil where the order is not by relevance.
    package let score: Double?
    /// The document, usually projected.
    package let document: Document
    /// What of the document matched; nil where nobody asked.
    package let highlights: [AttributeHighlights]?
    /// How the score came about; nil where nobody asked.
    package let explanation: ScoreExplanation?
    /// When the document vanishes; nil where nobody asked.
    package let expiration: DocumentExpiration?

    /// Reads a hit from all of `bytes`, or from a part.
    ///
    /// - Throws: `WireError` for anything that `HitBody.encode` does not write.
    package init(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) {
        let parts = try Parts(bytes, in: range, limits: limits)
        index = parts.index
        score = parts.score
        highlights = parts.highlights
        explanation = parts.explanation
        expiration = parts.expiration
        document = try DocumentCoding.decode(bytes, in: parts.document, limits: limits)
    }

    /// What stands before the document, and where that stands.
    struct Parts {
        let score: Double?
        let index: String
        var highlights: [AttributeHighlights]?
        var explanation: ScoreExplanation?
        var expiration: DocumentExpiration?
        let document: Range<Int>

        init(_ bytes: [UInt8], in range: Range<Int>?, limits: WireLimits) throws(WireError) {
            var reader = try WireReader(bytes, in: range, as: .hit)
            let flags = try HitBody.Flags(&reader)
            score = flags.contains(.score) ? try reader.double() : nil
            index = try reader.text(limit: limits.identifierBytes)
            if flags.contains(.highlights) {
                highlights = try HighlightCoding.decode(
                    bytes, in: try reader.slice(), limits: limits)
            }
            if flags.contains(.explanation) {
                explanation = try ExplanationCoding.decode(
                    bytes, in: try reader.slice(), limits: limits)
            }
            if flags.contains(.expiration) {
                expiration = .at(try reader.timestamp())
            } else if flags.contains(.never) {
                expiration = .never
            }
            document = try reader.rest()
        }
    }
}
