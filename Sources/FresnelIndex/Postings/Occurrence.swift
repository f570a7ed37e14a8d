/// One place where a term stands in a document.
package struct Occurrence: Hashable, Sendable {
    /// The attribute, by its number in the segment.
    package var attribute: AttributeOrdinal
    /// The element of a multi-valued attribute, from 0; modulo 65 536.
    package var element: UInt16
    /// The token's position in (document, attribute).
    ///
    /// Consecutive inside an element; the first position of an element is the number of tokens of
    /// the elements before it, plus 100 for each of them.
    package var position: UInt32

    /// Whether it stands in another element than the first, by its position where the number of the
    /// element has no room for it.
    var isBehindFirstElement: Bool {
        element > 0 || position > UInt32(UInt16.max) * SegmentFormat.elementGap
    }

    package init(attribute: AttributeOrdinal, element: UInt16, position: UInt32) {
        self.attribute = attribute
        self.element = element
        self.position = position
    }
}
