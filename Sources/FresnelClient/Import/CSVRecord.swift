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
}
