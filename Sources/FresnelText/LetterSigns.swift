// In the scripts of South and South-East Asia a vowel, a virama and a tone are combining marks, but
// no accents: without them กิน (to eat) is กัน (together), and दिन (a day) दान (a gift). Folding
// without diacritics keeps them (Documentation/decisions/0052-letters-that-are-marks.md).
//
// The C library tells neither a scalar's script nor its Indic syllabic category. So the table comes
// from the Unicode Character Database: `make unicode` writes it of IndicSyllabicCategory.txt (each
// mark that has a category, but nuktas and cantillation) and of Scripts.txt (the marks of scripts
// that the former file leaves out).

/// The combining marks that are letters of their scripts, not accents.
enum LetterSigns {
    /// Whether any scalar is one.
    static func includes(_ scalar: UInt32) -> Bool {
        scalar >= 0x0780 && UnicodeCategory(of: scalar) == .mark && contains(scalar)
    }

    /// Whether `scalar`, known to be a mark, is one.
    static func contains(_ scalar: UInt32) -> Bool {
        // Latin, Greek, Cyrillic, Hebrew and Arabic have none.
        guard scalar >= 0x0780 else { return false }
        let ranges = LetterSignTable.ranges
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].last < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].first <= scalar
    }

    /// Whether `scalar` voices the kana before it, and makes another letter of it; also the
    /// half-width forms, which are no marks, but decompose to them.
    static func voicesKana(_ scalar: UInt32) -> Bool {
        0x3099...0x309A ~= scalar || isHalfWidth(scalar)
    }

    /// Whether `scalar` is a half-width voicing mark, which is no mark by itself: what it
    /// decomposes to stands before other signs of its letter.
    static func isHalfWidth(_ scalar: UInt32) -> Bool { 0xFF9E...0xFF9F ~= scalar }

    /// The letter that a letter and a mark are without diacritics, where that is one; half-width
    /// kana are compared there as the others are.
    static func composite(of letter: UInt32, _ mark: UInt32) -> UInt32? {
        guard voicesKana(mark), 0xFF61...0xFF9F ~= letter else {
            return FresnelText.composite(of: letter, mark)
        }
        var wide: [UInt32] = []
        appendDecomposition(of: letter, .compatible, to: &wide)
        return wide.count == 1 ? FresnelText.composite(of: wide[0], mark) : nil
    }
}
