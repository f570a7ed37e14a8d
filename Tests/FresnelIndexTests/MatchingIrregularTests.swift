import FresnelIndex
import Testing

@testable import FresnelText

@Suite("Characters that fold across classes")
struct MatchingIrregularTests {
    @Test("are all in the table, and no others")
    func table() {
        // Han, Hangul and the planes above have none; they are left out for the time they take.
        for value in UInt32(0x80)..<0x30000 where !(0x4E00..<0xF900).contains(value) {
            guard let scalar = Unicode.Scalar(value), !Self.joins(scalar) else { continue }
            let isIrregular = Self.isIrregular(scalar)
            #expect(
                IrregularScalars.contains(value) == isIrregular,
                "U+\(String(value, radix: 16, uppercase: true))")
        }
    }

    @Test("are seen in text and among other bytes")
    func occurrence() {
        #expect(occurs(in: [0, 0xE2, 0xFF] + Array("Kindle™".utf8) + [0xE2]))
        #expect(!occurs(in: Array("Kindle, café, 東京".utf8)))
        #expect(!occurs(in: [0xE2, 0x84]))
    }

    private func occurs(in bytes: [UInt8]) -> Bool { IrregularScalars.occur(in: bytes.span) }

    /// Whether a character belongs to the one before, and so has no class of its own.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        if Ignorables.join(scalar.value) { return true }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether the folded text has another class of character than the text, or none.
    private static func isIrregular(_ scalar: Unicode.Scalar) -> Bool {
        let folded = FoldedText(String(scalar), folding: .dictionary)
        let text = String(decoding: folded.utf8, as: UTF8.self)
        return folded.utf8.isEmpty
            || text.unicodeScalars.contains { kind(of: $0) != kind(of: scalar) }
    }

    private static func kind(of scalar: Unicode.Scalar) -> CharacterTraits? {
        FoldedText(String(scalar), folding: Folding([])).traits.first?
            .intersection([.word, .spaceless])
    }
}
