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
    append(bytes, foldedBy: .dictionary, to: &key)
}

/// A text given as UTF-8 as a comparison without language sees it, without the way back
/// (`FoldedText`).
package func foldedBytes(_ bytes: borrowing Span<UInt8>, _ options: FoldingOptions) -> [UInt8] {
    var folded: [UInt8] = []
    append(bytes, foldedBy: Folding(options), to: &folded)
    return folded
}

/// Appends a text as a folding without language has it.
private func append(
    _ bytes: borrowing Span<UInt8>, foldedBy folding: Folding, to key: inout [UInt8]
) {
    var buffer: FoldingBuffer?
    var offset = 0
    while offset < bytes.count {
        let end = asciiEnd(bytes, from: offset)
        if end > offset {
            key.append(addingCapacity: end - offset) { output in
                for place in offset..<end { output.append(folding.fold(ascii: bytes[place])) }
            }
            offset = end
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

/// Where a run of ASCII ends, without its last byte where a mark may follow that.
private func asciiEnd(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end + 8 <= bytes.count {
        var all: UInt8 = 0
        for place in end..<end + 8 { all |= bytes[place] }
        guard all < 0x80 else { break }
        end += 8
    }
    while end < bytes.count, bytes[end] < 0x80 { end += 1 }
    let bearsMark = end > start && end < bytes.count && Cluster.mayContinue(bytes[end])
    return bearsMark ? end - 1 : end
}
