/// One word of a value: a maximal run of word characters.
///
/// A character of a script without spaces, with its marks, is a token by itself.
package struct Token: Hashable, Sendable {
    /// UTF-8 offset of the first byte in the original.
    package var start: UInt32
    /// UTF-8 offset behind the last byte.
    package var end: UInt32
    /// 0, 1, 2… in the order of the value.
    package var position: UInt32
    /// Where the token's inner boundaries begin in the list's `boundaries`.
    package var firstBoundary: UInt32
    /// How many boundaries stand inside the token, as in `MyWindowClass`.
    package var boundaryCount: UInt32
    /// Whether the token is one character of a script without spaces.
    package var isSpaceless: Bool
    /// Whether a separator stands right before the token; false at the start of the value and
    /// between neighbours that no separator parts.
    package var followsSeparator: Bool
    /// Whether every byte is ASCII.
    package var isASCII: Bool

    /// The UTF-8 offsets of the token in the original.
    package var range: Range<Int> { Int(start)..<Int(end) }
}
