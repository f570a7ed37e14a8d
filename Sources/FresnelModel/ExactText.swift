/// A text that equals the same bytes only.
///
/// A `String` equals every spelling that is canonically equivalent, with one scalar for "é" or two:
/// the same to search for, but places in a text, and digests of it, differ.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    // Equal bytes have the same hash as texts, which equivalent ones have too.
    package func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
