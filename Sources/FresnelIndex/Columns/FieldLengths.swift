import FresnelKernels

/// How many tokens each document has in one attribute, for BM25F.
///
/// A class, since a document with more tokens than a narrow number says is looked up in it: that
/// would copy all its tables.
package final class FieldLengths: Sendable {
    let presence: Presence
    /// Tokens per row, at most `UInt16.max`; empty where one of the others is used.
    let lengths: PackedArray<UInt16>
    /// The same in one byte (version 5), 255 for those that are long.
    let short: PackedArray<UInt8>
    /// The same in fewer bits (version 6), all set for those that are long.
    let narrow: NarrowNumbers
    /// The rows that have more tokens, ascending, and how many.
    let longRows: PackedArray<UInt32>
    let longLengths: PackedArray<UInt16>

    init(
        presence: Presence, lengths: PackedArray<UInt16>,
        short: PackedArray<UInt8> = PackedArray(), narrow: NarrowNumbers = NarrowNumbers(),
        longRows: PackedArray<UInt32> = PackedArray(),
        longLengths: PackedArray<UInt16> = PackedArray()
    ) {
        self.presence = presence
        self.lengths = lengths
        self.short = short
        self.narrow = narrow
        self.longRows = longRows
        self.longLengths = longLengths
    }

    /// Stands for more tokens than one byte can say.
    static let long: UInt8 = 255

    /// The number of rows.
    var count: Int { max(lengths.count, short.count, narrow.count) }

    /// Stands in `narrow` for more tokens than it can say.
    var narrowLong: UInt64 { 1 << UInt64(narrow.width) - 1 }

    /// Whether a row has its tokens beside the others.
    func isLong(_ row: Int) -> Bool {
        narrow.count > 0 ? narrow[row] == narrowLong : short.count > 0 && short[row] == Self.long
    }

    /// The tokens of a row; `row` is in 0..<`count`.
    subscript(row: Int) -> Int {
        if narrow.count > 0 {
            let length = narrow[row]
            return length == narrowLong ? longLength(row) : Int(length)
        }
        guard short.count > 0 else { return Int(lengths[row]) }
        return short[row] == Self.long ? longLength(row) : Int(short[row])
    }

    /// The tokens of a row that has more than the others can say; 0 where that is damaged.
    func longLength(_ row: Int) -> Int {
        let place = Bisection.end(from: 0, to: longRows.count) { Int(longRows[$0]) < row }
        let isThere = place < longRows.count && Int(longRows[place]) == row
        return isThere ? Int(longLengths[place]) : 0
    }

    /// The tokens of a document, all elements together; saturates at 65 535; 0 without a value.
    package func length(of document: DocumentNumber) -> Int {
        guard let row = presence.row(of: document), row < count else { return 0 }
        return self[row]
    }
}
