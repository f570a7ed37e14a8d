/// How often a predicate occurs in one attribute of one document.
struct AttributeOccurrences: Hashable, Sendable {
    /// The document.
    let document: DocumentNumber
    /// The attribute.
    let attribute: AttributeOrdinal
    /// At least 1.
    var count: Int

    /// Sorts single occurrences by document and attribute, and adds up equal ones.
    static func folded(_ keys: inout [UInt64]) -> [AttributeOccurrences] {
        keys.sort()
        var folded: [AttributeOccurrences] = []
        var former: UInt64?
        for key in keys {
            if key == former {
                folded[folded.count - 1].count += 1
            } else {
                folded.append(
                    AttributeOccurrences(
                        document: DocumentNumber(truncatingIfNeeded: key >> 16),
                        attribute: AttributeOrdinal(truncatingIfNeeded: key), count: 1))
                former = key
            }
        }
        return folded
    }

    /// One occurrence as a number that sorts by document, then attribute.
    @inline(__always)
    static func key(_ document: DocumentNumber, _ attribute: AttributeOrdinal) -> UInt64 {
        UInt64(document) << 16 | UInt64(attribute)
    }
}
