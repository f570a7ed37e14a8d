/// The tokens of one value; reusable, so that a long run of values allocates once.
package struct TokenList: Sendable {
    /// The tokens, in the order of the value.
    package internal(set) var tokens: [Token] = []
    /// The UTF-8 offsets of all boundaries inside tokens, in order.
    package internal(set) var boundaries: [UInt32] = []

    /// Makes an empty list.
    package init() {}

    /// The UTF-8 offsets in the value of the boundaries strictly inside a token of this list.
    package func innerBoundaries(of token: Token) -> ArraySlice<UInt32> {
        let first = Int(token.firstBoundary)
        return boundaries[first..<first + Int(token.boundaryCount)]
    }

    /// Forgets the tokens and keeps the memory.
    mutating func removeAll() {
        tokens.removeAll(keepingCapacity: true)
        boundaries.removeAll(keepingCapacity: true)
    }
}
