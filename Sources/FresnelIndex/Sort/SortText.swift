import FresnelKernels
import FresnelText

// A sort key travels with every hit, so a text in it is bounded: 1025 bytes of the folded key, and
// where the key is no longer than 1024, 2048 bytes of the text itself. Texts that agree in that are
// equal in order. Ranks of a segment tell them apart, so ranks of long texts are replaced by the
// first rank that is equal in order.

/// The part of a text that takes part in the order.
enum SortText {
    /// Bytes of a folded key that are compared whole.
    private static let keyBytes = 1024
    /// Bytes of the text behind a key of at most that length.
    private static let originalBytes = 2048

    /// Adds a text to a sort key.
    static func append(
        _ rank: ValueRank, of values: SortedTexts, descending: Bool, to key: inout OrderedKey
    ) {
        key.append(bytes: folded(rank, of: values), descending: descending)
        key.append(bytes: original(rank, of: values), descending: descending)
    }

    /// Adds a text that no segment has to a sort key.
    static func append(_ text: [UInt8], descending: Bool, to key: inout OrderedKey) {
        var folded: [UInt8] = []
        appendFoldedKey(of: text.span, to: &folded)
        let isLong = folded.count > keyBytes
        key.append(bytes: Array(folded.prefix(keyBytes + 1)), descending: descending)
        key.append(
            bytes: isLong ? [] : Array(text.prefix(originalBytes)), descending: descending)
    }

    /// The first rank that is equal in order.
    static func representative(of rank: ValueRank, in values: SortedTexts) -> ValueRank {
        guard isLong(rank, values) else { return rank }
        let key = folded(rank, of: values)
        if key.count > keyBytes { return values.range(withKeyPrefix: key.span).lowerBound }
        let text = original(rank, of: values)
        var first = rank
        let least = values.range(withKey: key.span).lowerBound
        while first > least, original(first - 1, of: values) == text { first -= 1 }
        return first
    }

    private static func isLong(_ rank: ValueRank, _ values: SortedTexts) -> Bool {
        values.key(of: rank).count > keyBytes || values.original(of: rank).count > originalBytes
    }

    private static func folded(_ rank: ValueRank, of values: SortedTexts) -> [UInt8] {
        let key = values.key(of: rank)
        return [UInt8](copying: key.extracting(first: keyBytes + 1))
    }

    private static func original(_ rank: ValueRank, of values: SortedTexts) -> [UInt8] {
        guard values.key(of: rank).count <= keyBytes else { return [] }
        return [UInt8](copying: values.original(of: rank).extracting(first: originalBytes))
    }
}
