/// A text that equals the same bytes only, as a key of a set or a dictionary.
///
/// A `String` equals every spelling that is canonically equivalent, with one scalar for "é" or two:
/// the same to search for, but identifiers, names, values of facets, places in a text and digests
/// of it differ. A tidy rule asks for this type wherever texts of users or of the wire are keys.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    // Equal bytes have the same hash as texts, which equivalent ones have too.
    package func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension ExactText: Comparable {
    /// Texts order as their bytes.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
