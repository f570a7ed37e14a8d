/// How many tokens each document has in one attribute, for BM25F.
package struct FieldLengths: Sendable {
    let presence: Presence
    /// Tokens per row, at most `UInt16.max`; empty where `short` is used.
    let lengths: PackedArray<UInt16>
    /// The same in one byte, where few are above 254: those have 255 here.
    let short: PackedArray<UInt8>
    /// The rows that have more tokens, ascending, and how many.
    let longRows: PackedArray<UInt32>
    let longLengths: PackedArray<UInt16>

    /// Stands for more tokens than one byte can say.
    static let long: UInt8 = 255

    /// The number of rows.
    var count: Int { max(lengths.count, short.count) }

    /// The tokens of a row; `row` is in 0..<`count`.
    subscript(row: Int) -> Int {
        guard short.count > 0 else { return Int(lengths[row]) }
        return short[row] == Self.long ? longLength(row) : Int(short[row])
    }

    /// The tokens of a row that has more than one byte can say; 0 where that is damaged.
    func longLength(_ row: Int) -> Int {
        var (low, high) = (0, longRows.count)
        while low < high {
            let middle = low + (high - low) / 2
            if Int(longRows[middle]) < row { low = middle + 1 } else { high = middle }
        }
        return low < longRows.count && Int(longRows[low]) == row ? Int(longLengths[low]) : 0
    }

    /// The tokens of a document, all elements together; saturates at 65 535; 0 without a value.
    package func length(of document: DocumentNumber) -> Int {
        guard let row = presence.row(of: document), row < count else { return 0 }
        return self[row]
    }
}
