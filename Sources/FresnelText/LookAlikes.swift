// Keyboards, word processors and old data write the same apostrophe and the same hyphen with a
// dozen characters, and nobody sees which. Spaces that look alike, full-width forms and the
// non-breaking hyphen are equal by their compatibility decompositions; these are not. Unicode's
// list of confusable characters is made against forgery (it has l and 1 alike), so what is equal is
// chosen here (Documentation/decisions/0052-letters-that-are-marks.md).

/// Punctuation that looks like an apostrophe, a hyphen or a space, and is taken for it without
/// diacritics.
enum LookAlikes {
    /// What stands for a scalar, before it is decomposed: accents that stand alone become spaces
    /// then.
    static func whole(_ scalar: UInt32) -> UInt32 {
        scalar == 0xB4 || scalar == 0x1FFD ? 0x27 : scalar
    }

    /// What stands for a scalar that is decomposed.
    static func folded(_ scalar: UInt32) -> UInt32 {
        guard scalar >= 0x2BB, scalar <= 0x2212 else { return scalar }
        return switch scalar {
        case 0x2BB, 0x2BC, 0x2018, 0x2019, 0x201B, 0x2032: 0x27
        case 0x5F3: 0x27  // the geresh of Hebrew, which few keyboards have
        case 0x2010...0x2013, 0x2212: 0x2D
        case 0x5BE: 0x2D  // the maqaf of Hebrew
        case 0x200B: 0x20
        default: scalar
        }
    }

    /// Whether a scalar is a letter by its category that stands for an apostrophe: of the keyboards
    /// of some alphabets, and the okina of Hawaii.
    static func isApostrophe(_ scalar: UInt32) -> Bool {
        scalar == 0x2BB || scalar == 0x2BC
    }
}
