/// The modifiers of a string comparison (Documentation/query-language.md); `t` is gone after
/// normalising.
package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// `c`: ignore case.
    package static let caseInsensitive = Modifiers(rawValue: 1)
    /// `d`: ignore diacritics.
    package static let diacriticInsensitive = Modifiers(rawValue: 2)
    /// `w`: match at word boundaries.
    package static let wordBased = Modifiers(rawValue: 4)
}
