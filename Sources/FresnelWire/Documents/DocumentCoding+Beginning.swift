// Most hits of a long answer are sent without attributes: what stands before the attributes, and a
// count of none. That part is found here without reading any of it.

extension DocumentCoding {
    /// The length of what stands before the attributes of an encoded document.
    ///
    /// - Returns: nil where the bytes are unusual; `project` then says what is wrong, if anything.
    package static func beginningByteCount(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 3, bytes[0] == DocumentLayout.version,
            bytes[1] == DocumentLayout.Form.product.rawValue
                || bytes[1] == DocumentLayout.Form.activity.rawValue, bytes[2] < 8
        else { return nil }
        let presence = bytes[2]
        var offset = 3
        guard skip(bytes, &offset) else { return nil }
        if presence & 1 != 0, !skip(bytes, &offset) { return nil }
        if presence & 2 != 0 { offset += 8 }
        guard offset <= bytes.count else { return nil }
        if presence & 4 != 0, !skip(bytes, &offset) { return nil }
        return offset < bytes.count ? offset : nil
    }

    /// The bytes before the identifier of a document that has nothing between identifier and
    /// attributes; nil for every other.
    package static func plainHead(of bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.count > 3, bytes[2] == 0, beginningByteCount(bytes) != nil else { return nil }
        return [bytes[0], bytes[1], 0]
    }

    /// Whether a document has such a head, and nothing between identifier and attributes.
    package static func isPlain(_ bytes: Span<UInt8>, withHead head: [UInt8]) -> Bool {
        guard head.count == 3, bytes.count > 3 else { return false }
        return bytes[0] == head[0] && bytes[1] == head[1] && bytes[2] == 0
            && beginningByteCount(bytes) != nil
    }

    /// Passes over a length of one or two bytes and what it counts.
    private static func skip(_ bytes: Span<UInt8>, _ offset: inout Int) -> Bool {
        guard offset + 1 < bytes.count else { return false }
        var count = Int(bytes[offset])
        offset += 1
        if count >= 0x80 {
            guard bytes[offset] < 0x80 else { return false }
            count = count & 0x7F | Int(bytes[offset]) << 7
            offset += 1
        }
        offset += count
        return offset <= bytes.count
    }
}
