/// The characters that nobody sees (Unicode's Default_Ignorable_Code_Point, as the C library knows
/// it), and the tatweel, which only lengthens a line.
///
/// Folding without diacritics leaves them out: the soft hyphen, zero-width joiners, marks of
/// direction, variation selectors. Not the zero-width space: it parts words, as a space does
/// (UAX #29, where all the others belong to what stands before them).
enum Ignorables {
    /// Whether `scalar` is one.
    static func contains(_ scalar: UInt32) -> Bool {
        // None is there; it is where most text that is not Latin is.
        guard scalar >= 0xAD, !(0x3165..<0xFE00).contains(scalar) else { return false }
        return scalar == 0x640 || scalar != 0x200B && isDefaultIgnorable(scalar)
    }

    /// Whether `scalar`, which is no mark, belongs to the character before it: all but the fillers
    /// of Hangul, which are letters by themselves; and the half-width voicing marks of kana, which
    /// are seen, but decompose to marks (all three as in UAX #29).
    static func join(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x115F...0x1160, 0x3164, 0xFFA0: false
        default: contains(scalar) || LetterSigns.voicesKana(scalar)
        }
    }
}
