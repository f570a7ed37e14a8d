// The occurrences of one term in one document, by (attribute, position), as LEB128 integers:
//
//   gap × 2                      the same element; position = former position + 1 + gap
//   step × 4 + 1, position       attribute = former attribute + step; element 0 if step > 0, else
//                                the former element + 1
//   step × 4 + 3, element, position    the same, with the element named
//
// Before the first occurrence stands attribute 0, and the first is never of the form `gap × 2`; its
// attribute counts as new, so element 0 is implied. Most documents have a term once in a
// single-valued attribute: two bytes.

/// Appends the occurrences of one document.
struct OccurrenceWriter {
    private var former: Occurrence?

    mutating func append(_ occurrence: Occurrence, to bytes: inout [UInt8]) {
        defer { former = occurrence }
        let attribute = former?.attribute ?? 0
        let isNew = former.map { $0.attribute != occurrence.attribute } ?? true
        if let former, !isNew, former.element == occurrence.element {
            append((occurrence.position - former.position - 1) << 1, to: &bytes)
            return
        }
        let implied = isNew ? 0 : (former?.element ?? 0) &+ 1
        let step = UInt32(occurrence.attribute - attribute) << 2
        if implied == occurrence.element {
            append(step | 1, to: &bytes)
        } else {
            append(step | 3, to: &bytes)
            append(UInt32(occurrence.element), to: &bytes)
        }
        append(occurrence.position, to: &bytes)
    }

    private func append(_ value: UInt32, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
