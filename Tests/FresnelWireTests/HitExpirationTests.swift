import FresnelModel
import FresnelWire
import Testing

/// When the document of a hit expires, as it travels.
@Suite("Expirations of hits")
struct HitExpirationTests {
    private static let date = Timestamp(wholeSeconds: 850_000_000)

    @Test(
        "B-8: an expiration reads back, and a hit's identity is read past it",
        arguments: [nil, .never, .at(date)] as [DocumentExpiration?])
    func roundTrip(expiration: DocumentExpiration?) throws {
        for score in [nil, 3.5] {
            var hit = HitBody(
                index: "i", score: score, document: DocumentCoding.encode(Samples.document),
                highlights: [AttributeHighlights(attribute: "title", ranges: [0..<3])])
            let plain = try HitBody.identity(of: hit.encode())
            hit.expiration = expiration
            let bytes = hit.encode()
            #expect(try HitBody(bytes) == hit)
            #expect(try HitBody.identity(of: bytes) == plain)
            let decoded = try DecodedHit(bytes)
            #expect(decoded.expiration == expiration)
            #expect(decoded.document == Samples.document)
        }
    }

    @Test("B-8: both bits at once, bits that mean nothing, and a date that is none are refused")
    func refused() throws {
        var hit = HitBody(
            index: "i", score: nil, document: DocumentCoding.encode(Samples.document))
        hit.expiration = .at(Self.date)
        let bytes = hit.encode()
        for flags in [8 | 16, 32, 64, 128] as [UInt8] {
            #expect(throws: WireError.self) { try HitBody([flags] + bytes.dropFirst()) }
        }
        // Flags, the index's length and name; then the date: eight bytes of NaN.
        var broken = bytes
        broken.replaceSubrange(3..<11, with: repeatElement(0xFF, count: 8))
        #expect(throws: WireError.self) { try HitBody(broken) }
        #expect(throws: WireError.self) { try HitBody.identity(of: broken) }
    }
}
