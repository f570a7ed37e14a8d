// Swift's `==` and `Hashable` of strings are canonical equivalence: both spellings of "café", with
// one scalar or with two, are equal. Identifiers are bytes to the cluster: they are hashed, sorted
// and stored as such, so the two spellings are two documents.

extension String {
    /// Whether both are spelled with the same bytes of UTF-8, unlike `==`.
    package func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        guard left.count == right.count else { return false }
        for place in 0..<left.count where left[place] != right[place] { return false }
        return true
    }
}
