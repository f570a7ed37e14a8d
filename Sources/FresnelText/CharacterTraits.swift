/// What a character is, and what the position in front of it is.
///
/// The first five bits describe a cluster and stand at each of its folded bytes; the last three
/// describe a position and stand only at the byte right behind it.
package struct CharacterTraits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A letter, digit or combining mark; everything else is a separator.
    package static let word = CharacterTraits(rawValue: 1)
    /// A word character of a script written without spaces between words.
    package static let spaceless = CharacterTraits(rawValue: 2)
    /// White space; always a separator too.
    package static let whitespace = CharacterTraits(rawValue: 4)
    /// A lower-case letter.
    package static let lower = CharacterTraits(rawValue: 8)
    /// An upper-case or title-case letter.
    package static let upper = CharacterTraits(rawValue: 16)
    /// A cluster begins here.
    package static let clusterStart = CharacterTraits(rawValue: 32)
    /// A letter begins here, perhaps inside what its cluster folded to (the second s of ß).
    package static let letterStart = CharacterTraits(rawValue: 64)
    /// A word boundary of the original value.
    package static let boundary = CharacterTraits(rawValue: 128)

    /// What holds behind the last character of a value.
    static let end: CharacterTraits = [.clusterStart, .letterStart, .boundary]

    /// Whether a wildcard of a word-based pattern takes the character.
    @inline(__always)
    var isTakenInWord: Bool {
        rawValue & (Self.word.rawValue | Self.spaceless.rawValue) == Self.word.rawValue
    }

    /// Whether the position between two neighbouring clusters is a word boundary.
    @inline(__always)
    static func isBoundary(between left: CharacterTraits, and right: CharacterTraits) -> Bool {
        let both = left.rawValue & right.rawValue
        let either = left.rawValue | right.rawValue
        return both & word.rawValue == 0 || either & spaceless.rawValue != 0
            || (left.contains(.lower) && right.contains(.upper))
    }

    /// The traits of an ASCII character.
    @inline(__always)
    init(ascii byte: UInt8) {
        if byte &- 0x61 < 26 {
            self = [.word, .lower]
        } else if byte &- 0x41 < 26 {
            self = [.word, .upper]
        } else if byte &- 0x30 < 10 {
            self = .word
        } else if byte == 0x20 || byte &- 0x09 < 5 {
            self = .whitespace
        } else {
            self = []
        }
    }

    /// The traits of any scalar, by its general category.
    package init(scalar: UInt32) {
        switch UnicodeCategory(of: scalar) {
        case .lowercaseLetter: self = [.word, .lower]
        case .uppercaseLetter, .titlecaseLetter: self = [.word, .upper]
        // They separate words as the apostrophe does that they are equal to.
        case .otherLetter where LookAlikes.isApostrophe(scalar): self = []
        case .otherLetter, .mark, .number: self = .word
        case .space: self = .whitespace
        case .control: self = scalar == 0x85 || (0x09...0x0D).contains(scalar) ? .whitespace : []
        // The zero-width space parts words, as the others do.
        case .other: self = scalar == 0x200B ? .whitespace : []
        }
        if contains(.word), SpacelessScripts.contains(scalar) { insert(.spaceless) }
    }
}
