/// Cuts values into tokens.
package enum Tokenizer {
    /// The tokens of a value.
    package static func tokens(of value: String) -> TokenList {
        let view = value.utf8
        var list = TokenList()
        tokenize(view.span, into: &list)
        return list
    }

    /// The tokens of a value given as UTF-8.
    package static func tokens(of utf8: [UInt8]) -> TokenList {
        var list = TokenList()
        tokenize(utf8.span, into: &list)
        return list
    }

    /// Replaces the tokens in `list` by those of a value given as UTF-8.
    ///
    /// Bytes that are not UTF-8 are separators. A value of 4 GiB or more is a broken invariant.
    package static func tokenize(_ bytes: borrowing Span<UInt8>, into list: inout TokenList) {
        precondition(bytes.count <= UInt32.max, "value of \(bytes.count) bytes was let in")
        list.removeAll()
        var offset = 0
        var isSeparated = false
        while offset < bytes.count {
            let cluster = Cluster(bytes, at: offset)
            offset = cluster.end
            guard cluster.traits.contains(.word) else {
                isSeparated = true
                continue
            }
            var token = Token(
                start: UInt32(truncatingIfNeeded: cluster.start),
                end: UInt32(truncatingIfNeeded: cluster.end),
                position: UInt32(truncatingIfNeeded: list.tokens.count),
                firstBoundary: UInt32(truncatingIfNeeded: list.boundaries.count),
                boundaryCount: 0, isSpaceless: cluster.traits.contains(.spaceless),
                followsSeparator: isSeparated, isASCII: bytes[cluster.start] < 0x80)
            token.isASCII = token.isASCII && cluster.end == cluster.start + 1
            if !token.isSpaceless {
                offset = extend(&token, behind: cluster.traits, bytes, &list.boundaries)
            }
            list.tokens.append(token)
            isSeparated = false
        }
    }

    /// Lengthens a token to the end of its run and returns where that is.
    @inline(__always)
    private static func extend(
        _ token: inout Token, behind first: CharacterTraits, _ bytes: borrowing Span<UInt8>,
        _ boundaries: inout [UInt32]
    ) -> Int {
        var left = first
        var end = Int(token.end)
        while end < bytes.count {
            let next = Cluster(bytes, at: end)
            guard next.traits.contains(.word), !next.traits.contains(.spaceless) else { break }
            if left.contains(.lower), next.traits.contains(.upper) {
                boundaries.append(UInt32(truncatingIfNeeded: next.start))
                token.boundaryCount += 1
            }
            if next.end > next.start + 1 { token.isASCII = false }
            left = next.traits
            end = next.end
        }
        token.end = UInt32(truncatingIfNeeded: end)
        return end
    }
}
