import FresnelModel
import Testing

@Suite("Identifiers are bytes")
struct IdentifierBytesTests {
    private let composed = "caf\u{E9}"
    private let decomposed = "cafe\u{301}"

    @Test("Two spellings that Swift calls equal are different bytes")
    func spellings() {
        #expect(composed == decomposed)
        #expect(!composed.hasSameBytes(as: decomposed))
        #expect(composed.hasSameBytes(as: "caf\u{E9}"))
        #expect("".hasSameBytes(as: ""))
        #expect(!"a".hasSameBytes(as: "ab"))
    }

    @Test("A document is routed by a relation that is its identifier in another spelling")
    func relation() {
        var document = Document(uniqueIdentifier: composed)
        #expect(!document.isRoutedByRelation)
        document.attributes["relatedUniqueIdentifier"] = .string(decomposed)
        #expect(document.isRoutedByRelation)
        document.attributes["relatedUniqueIdentifier"] = .string(composed)
        #expect(!document.isRoutedByRelation)
    }

    @Test("A patch is routed by a relation that is its identifier in another spelling")
    func patchedRelation() {
        var patch = DocumentPatch(uniqueIdentifier: composed)
        #expect(!patch.isRoutedByRelation)
        patch.relatedUniqueIdentifier = decomposed
        #expect(patch.isRoutedByRelation)
        patch.relatedUniqueIdentifier = composed
        #expect(!patch.isRoutedByRelation)
    }
}
