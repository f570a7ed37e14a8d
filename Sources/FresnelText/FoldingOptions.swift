/// Which differences between characters a comparison ignores.
package struct FoldingOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// `c`: full Unicode case folding.
    package static let caseInsensitive = FoldingOptions(rawValue: 1)
    /// `d`: compatibility decomposition without combining marks.
    package static let diacriticInsensitive = FoldingOptions(rawValue: 2)
}
