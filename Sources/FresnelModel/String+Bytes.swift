// Swift's `==` and `Hashable` of strings are canonical equivalence: both spellings of "café", with
// one scalar or with two, are equal. Identifiers, domains and values are bytes to the cluster: they
// are hashed, sorted, counted and stored as such, so the two spellings are two documents.

extension String {
    /// Whether both are spelled with the same bytes of UTF-8, unlike `==`.
    package func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        guard left.count == right.count else { return false }
        for place in 0..<left.count where left[place] != right[place] { return false }
        return true
    }
}

extension Optional<String> {
    /// Whether both are absent, or spelled with the same bytes.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return (self == nil) == (other == nil) }
        return self.hasSameBytes(as: other)
    }
}

extension [String] {
    /// Whether both have the same texts, byte by byte, in the same order.
    package func hasSameBytes(as other: [String]) -> Bool {
        elementsEqual(other) { $0.hasSameBytes(as: $1) }
    }
}
