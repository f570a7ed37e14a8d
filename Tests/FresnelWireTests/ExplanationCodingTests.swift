import FresnelModel
import FresnelWire
import Testing

@Suite("Explanations of scores")
struct ExplanationCodingTests {
    private static var sample: ScoreExplanation {
        var found = ScoreExplanation.Term(
            query: "title == \"red\"w", documents: 1000, matching: 12, rarity: 4.375)
        found.attributes = [
            ScoreExplanation.Attribute(
                name: "title", occurrences: 2, length: 5, weight: 3, referenceLength: 4,
                weighted: 5.125)
        ]
        found.weighted = 5.125
        found.contribution = 3.5
        let missing = ScoreExplanation.Term(
            query: "** == \"é\"cd", documents: 1000, matching: 0, rarity: 7.625)
        return ScoreExplanation(terms: [found, missing], saturation: 1.2, lengthShare: 0.75)
    }

    @Test("B-6: an explanation reads back, and a hit's identity is read past it")
    func roundTrip() throws {
        let document = DocumentCoding.encode(Samples.document)
        for highlights in [nil, [AttributeHighlights(attribute: "title", ranges: [0..<3])]] {
            var hit = HitBody(index: "i", score: 3.5, document: document, highlights: highlights)
            let plain = try HitBody.identity(of: hit.encode())
            hit.explanation = Self.sample
            let bytes = hit.encode()
            #expect(try HitBody(bytes) == hit)
            #expect(try HitBody.identity(of: bytes) == plain)
            #expect(bytes[0] == (highlights == nil ? 5 : 7))
        }
        #expect(Self.sample.total == 3.5)
    }

    @Test("B-6: an explanation beyond its bytes keeps its terms and leaves attributes out")
    func long() throws {
        var explanation = Self.sample
        let attribute = explanation.terms[0].attributes[0]
        explanation.terms[0].attributes = Array(repeating: attribute, count: 200)
        explanation.terms = Array(repeating: explanation.terms[0], count: 64)
        let back = try ExplanationCoding.decode(ExplanationCoding.encode(explanation))
        #expect(back.terms.count == 64)
        #expect(back.terms.allSatisfy { $0.attributes.isEmpty })
        #expect(back.total.bitPattern == explanation.total.bitPattern)
    }

    @Test("B-6: damaged explanations give errors or explanations, never a crash")
    func damage() throws {
        let bytes = ExplanationCoding.encode(Self.sample)
        for end in bytes.indices {
            #expect(throws: WireError.self) { try ExplanationCoding.decode(bytes, in: 0..<end) }
        }
        #expect(throws: WireError.self) { try ExplanationCoding.decode(bytes + [0]) }
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << bit
                // Either answer is right here; what counts is that there is one.
                _ = try? ExplanationCoding.decode(damaged)
            }
        }
    }
}
