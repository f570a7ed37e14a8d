/// The dictionary key of a text: folded case, no diacritics, no language, as UTF-8.
///
/// Dictionaries and sorted columns order texts by this key first and by their own bytes second. Two
/// texts that any comparison calls equal have the same key. A text of nothing but combining marks
/// has an empty key.
package func foldedKey(of value: String) -> [UInt8] {
    let view = value.utf8
    var key: [UInt8] = []
    appendFoldedKey(of: view.span, to: &key)
    return key
}

/// Appends the dictionary key of a text given as UTF-8, for callers that keep one buffer.
package func appendFoldedKey(of bytes: borrowing Span<UInt8>, to key: inout [UInt8]) {
    let folding = Folding.dictionary
    var buffer: FoldingBuffer?
    var offset = 0
    while offset < bytes.count {
        let byte = bytes[offset]
        if byte < 0x80, offset + 1 == bytes.count || bytes[offset + 1] < Cluster.leastMarkLead {
            key.append(folding.fold(ascii: byte))
            offset += 1
            continue
        }
        var scratch = buffer.take() ?? FoldingBuffer()
        let cluster = Cluster(bytes, at: offset)
        folding.fold(cluster, of: bytes, with: &scratch)
        for scalar in scratch.folded { appendUTF8(scalar, to: &key) }
        buffer = scratch
        offset = cluster.end
    }
}
