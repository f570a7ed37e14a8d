/// One row of a table.
struct CSVRecord {
    /// One cell with the place of its first byte.
    struct Cell {
        let bytes: [UInt8]
        let line: Int
        let column: Int
    }

    var cells: [Cell]
    /// Where the row begins.
    let line: Int
    /// Where it ends: cells in quotes may have line breaks.
    var lastLine: Int

    /// What a refusal of the row says of its lines where they are several.
    var extent: String {
        lastLine > line ? "; lines \(line) to \(lastLine) are this one row" : ""
    }
}
