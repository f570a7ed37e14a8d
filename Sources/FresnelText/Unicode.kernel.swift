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

/// Whether a character has no form of its own (Default_Ignorable_Code_Point).
func isDefaultIgnorable(_ scalar: UInt32) -> Bool {
    // As above: every scalar has a row.
    let row = unsafe utf8proc_get_property(Int32(truncatingIfNeeded: scalar))
    return unsafe (row?.pointee.ignorable ?? 0) != 0
}

/// Which mapping `appendDecomposition` applies.
struct Decomposition: OptionSet {
    let rawValue: UInt32
    /// Compatibility decomposition instead of canonical.
    static let compatible = Decomposition(rawValue: UTF8PROC_COMPAT.rawValue)
    /// Full case folding, before and after decomposing.
    static let caseFolded = Decomposition(rawValue: UTF8PROC_CASEFOLD.rawValue)
}

/// Whether a compatibility decomposition would have a letter's mark with nothing to bear it: the
/// vowel am of Thai and Lao, one letter, begins with one, and voicing marks that stand alone would
/// be a space with one.
@inline(__always)
private func isWhole(_ scalar: UInt32) -> Bool {
    scalar == 0xE33 || scalar == 0xEB3 || scalar == 0x309B || scalar == 0x309C
}

/// Appends the full decomposition of one scalar, not yet in canonical order.
func appendDecomposition(of scalar: UInt32, _ kind: Decomposition, to scalars: inout [UInt32]) {
    // These stay whole also where all else is decomposed for compatibility.
    guard !kind.contains(.compatible) || !isWhole(scalar) else {
        scalars.append(scalar)
        return
    }
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

/// The scalar that is canonically the same as a starter with a mark behind it; nil for most pairs.
func composite(of starter: UInt32, _ mark: UInt32) -> UInt32? {
    // The library looks both up without a check.
    guard starter <= 0x10FFFF, mark <= 0x10FFFF else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2) { buffer in
        unsafe buffer.initializeElement(at: 0, to: Int32(truncatingIfNeeded: starter))
        unsafe buffer.initializeElement(at: 1, to: Int32(truncatingIfNeeded: mark))
        // It composes in place, two scalars or fewer.
        let count = unsafe utf8proc_normalize_utf32(buffer.baseAddress, 2, UTF8PROC_COMPOSE)
        return unsafe count == 1 ? UInt32(bitPattern: buffer[0]) : nil
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
