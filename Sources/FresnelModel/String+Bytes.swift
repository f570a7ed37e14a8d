// Swift's `==` and `Hashable` of strings are canonical equivalence: both spellings of "café", with
// one scalar or with two, are equal. Identifiers are bytes to the cluster: they are hashed, sorted
// and stored as such, so the two spellings are two documents.

extension String {
    /// Whether both are spelled with the same bytes of UTF-8, unlike `==`.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
