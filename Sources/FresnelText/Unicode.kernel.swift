import CUnicode

// The only calls into utf8proc. The library reads its own constant tables; the one pointer given to
// it is a buffer of `decompositionLimit` scalars, whose size is passed along.

/// No scalar decomposes to more than 18 scalars (U+FDFA); the library reports what it needs.
private let decompositionLimit = 32

extension UnicodeCategory {
    /// Looks up the category of a scalar; values beyond U+10FFFF are `other`.
    init(of scalar: UInt32) {
        switch utf8proc_category(Int32(truncatingIfNeeded: scalar)) {
        case UTF8PROC_CATEGORY_LL: self = .lowercaseLetter
        case UTF8PROC_CATEGORY_LU: self = .uppercaseLetter
        case UTF8PROC_CATEGORY_LT: self = .titlecaseLetter
        case UTF8PROC_CATEGORY_LM, UTF8PROC_CATEGORY_LO: self = .otherLetter
        case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME: self = .mark
        case UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO: self = .number
        case UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP: self = .space
        case UTF8PROC_CATEGORY_CC: self = .control
        default: self = .other
        }
    }
}

/// The canonical combining class; 0 for every character that is not reordered.
func combiningClass(of scalar: UInt32) -> UInt8 {
    // The library answers every scalar, also an invalid one, with a row of its constant table.
    let row = unsafe utf8proc_get_property(Int32(truncatingIfNeeded: scalar))
    return unsafe UInt8(truncatingIfNeeded: row?.pointee.combining_class ?? 0)
}

/// Which mapping `appendDecomposition` applies.
struct Decomposition: OptionSet {
    let rawValue: UInt32
    /// Compatibility decomposition instead of canonical.
    static let compatible = Decomposition(rawValue: UTF8PROC_COMPAT.rawValue)
    /// Full case folding, before and after decomposing.
    static let caseFolded = Decomposition(rawValue: UTF8PROC_CASEFOLD.rawValue)
}

/// Appends the full decomposition of one scalar, not yet in canonical order.
func appendDecomposition(of scalar: UInt32, _ kind: Decomposition, to scalars: inout [UInt32]) {
    let options = utf8proc_option_t(rawValue: kind.rawValue | UTF8PROC_DECOMPOSE.rawValue)
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: decompositionLimit) { buffer in
        var boundClass: Int32 = 0
        let count = unsafe utf8proc_decompose_char(
            Int32(truncatingIfNeeded: scalar), buffer.baseAddress, decompositionLimit, options,
            &boundClass)
        guard count >= 0, count <= decompositionLimit else {
            scalars.append(scalar)  // not a scalar at all: it stands for itself
            return
        }
        for index in 0..<count {
            unsafe scalars.append(UInt32(bitPattern: buffer[index]))
        }
    }
}

/// The part of a Hangul syllable a scalar is, by which decomposed syllables hold together.
enum HangulPart {
    case leading
    case vowel
    case trailing
    /// A whole syllable without a trailing consonant.
    case openSyllable
    case closedSyllable

    /// Looks up the part; nil for what is not Hangul.
    init?(of scalar: UInt32) {
        guard (0x1100...0x11FF).contains(scalar) || (0xA960...0xD7FF).contains(scalar) else {
            return nil
        }
        // As above: every scalar has a row.
        let row = unsafe utf8proc_get_property(Int32(bitPattern: scalar))
        switch unsafe UInt32(row?.pointee.boundclass ?? 0) {
        case UTF8PROC_BOUNDCLASS_L.rawValue: self = .leading
        case UTF8PROC_BOUNDCLASS_V.rawValue: self = .vowel
        case UTF8PROC_BOUNDCLASS_T.rawValue: self = .trailing
        case UTF8PROC_BOUNDCLASS_LV.rawValue: self = .openSyllable
        case UTF8PROC_BOUNDCLASS_LVT.rawValue: self = .closedSyllable
        default: return nil
        }
    }

    /// Whether `self` continues the syllable that ends in `previous`.
    func continues(_ previous: HangulPart) -> Bool {
        switch (previous, self) {
        case (.leading, .vowel), (.vowel, .vowel), (.openSyllable, .vowel): true
        case (.vowel, .trailing), (.trailing, .trailing): true
        case (.openSyllable, .trailing), (.closedSyllable, .trailing): true
        default: false
        }
    }
}
