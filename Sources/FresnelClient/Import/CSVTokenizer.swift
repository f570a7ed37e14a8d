// RFC 4180, one byte at a time: cells are separated by commas, rows by LF or CRLF; a cell in double
// quotes may hold both, and a quote is doubled inside. A row that breaks the rules is refused, and
// reading goes on behind its end. Where that is, the rest of the row says by the same rules, as far
// as they hold: a quote that begins a cell opens it, every other one is text. So what stands in the
// quoted cells of a refused row never becomes a row.

/// Cuts a table into rows.
struct CSVTokenizer: ~Copyable {
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// A row while it is read.
    private struct Row {
        var record: CSVRecord
        var byteCount = 0
        /// Why it cannot be used; what follows is read and not kept.
        var fault: ImportRefusal?

        init(line: Int) { record = CSVRecord(cells: [], line: line, lastLine: line) }

        mutating func refuse(_ line: Int, _ column: Int, _ reason: String) {
            fault = fault ?? ImportRefusal(line: line, column: column, reason: reason)
        }
    }

    private var stream: ByteStream
    private let delimiter: UInt8

    init(_ stream: consuming ByteStream, delimiter: UInt8) {
        self.stream = stream
        self.delimiter = delimiter
    }

    var line: Int { stream.line }

    /// The next row that is not empty; nil at the end.
    mutating func next() throws(SearchError) -> Result<CSVRecord, ImportRefusal>? {
        while let byte = try stream.peek(), byte == Self.lineFeed || byte == Self.carriageReturn {
            _ = try stream.next()
        }
        guard try stream.peek() != nil else { return nil }
        var row = Row(line: stream.line)
        repeat {
            if try stream.peek() == Self.quote {
                try readQuotedCell(&row)
            } else {
                try readPlainCell(&row)
            }
            check(&row)
        } while try take(delimiter)
        // Behind a line break that the source ends with nothing follows.
        let isEnded = try stream.peek() == nil && stream.column == 1
        row.record.lastLine = isEnded ? stream.line - 1 : stream.line
        _ = try take(Self.lineFeed)
        return result(of: row)
    }

    /// A cell without quotes, up to a delimiter or the end of the line.
    private mutating func readPlainCell(_ row: inout Row) throws(SearchError) {
        let (line, column) = (stream.line, stream.column)
        var bytes: [UInt8] = []
        while let byte = try stream.peek(), byte != delimiter, byte != Self.lineFeed {
            if byte == Self.quote {
                row.refuse(
                    stream.line, stream.column,
                    "a quote inside a cell without quotes; put the cell in quotes and double it")
            }
            _ = try stream.next()
            keep(byte, &bytes, &row)
        }
        // Also the two of CR CR LF.
        if try stream.peek() != delimiter {
            while bytes.last == Self.carriageReturn { bytes.removeLast() }
        }
        row.record.cells.append(CSVRecord.Cell(bytes: bytes, line: line, column: column))
    }

    /// A cell in quotes, and what stands between it and the delimiter or the end of the line.
    private mutating func readQuotedCell(_ row: inout Row) throws(SearchError) {
        let (line, column) = (stream.line, stream.column)
        var bytes: [UInt8] = []
        _ = try stream.next()
        while true {
            guard let byte = try stream.next() else {
                return refuseOpenQuote(&row, line, column)
            }
            if byte == Self.quote, try !take(Self.quote) { break }
            keep(byte, &bytes, &row)
        }
        if row.byteCount > ImportLimits.entryBytes {
            row.refuse(
                line, column,
                "the cell has more than \(ImportLimits.entryBytes) bytes; its quote is opened here")
        }
        row.record.cells.append(CSVRecord.Cell(bytes: bytes, line: line, column: column))
        while try take(Self.carriageReturn) {}
        guard let byte = try stream.peek(), byte != delimiter, byte != Self.lineFeed else { return }
        let place = "\(stream.line):\(stream.column)"
        if line == stream.line {
            row.refuse(
                line, stream.column, "text after the closing quote; double quotes inside a cell")
        } else {
            row.refuse(
                line, column,
                "the quote that is opened here is closed in front of \(place), where text follows; "
                    + "close it where its cell ends, and double quotes inside a cell")
        }
        while let byte = try stream.peek(), byte != delimiter, byte != Self.lineFeed {
            _ = try stream.next()
        }
    }

    /// The end of the source is inside a cell: everything since its quote is this row's.
    private func refuseOpenQuote(_ row: inout Row, _ line: Int, _ column: Int) {
        let reason = "the quote is never closed"
        guard let fault = row.fault, (fault.line, fault.column) != (line, column) else {
            row.fault = ImportRefusal(line: line, column: column, reason: reason)
            return
        }
        row.fault = ImportRefusal(
            line: fault.line, column: fault.column,
            reason: "\(fault.reason); and of the cell at \(line):\(column) \(reason)")
    }

    /// Takes a byte of a cell in, as long as the row may be of use.
    private func keep(_ byte: UInt8, _ bytes: inout [UInt8], _ row: inout Row) {
        row.byteCount += 1
        if row.fault == nil, row.byteCount <= ImportLimits.entryBytes { bytes.append(byte) }
    }

    private func check(_ row: inout Row) {
        if row.byteCount > ImportLimits.entryBytes {
            row.refuse(row.record.line, 1, "the row has more than \(ImportLimits.entryBytes) bytes")
        }
        if row.record.cells.count > ImportLimits.columns {
            row.refuse(row.record.line, 1, "the row has more than \(ImportLimits.columns) cells")
        }
        if row.fault != nil { row.record.cells = [] }
    }

    /// The row, or why it is refused, with all its lines where they are several.
    private func result(of row: Row) -> Result<CSVRecord, ImportRefusal> {
        guard let fault = row.fault else { return .success(row.record) }
        return .failure(
            ImportRefusal(
                line: fault.line, column: fault.column,
                reason: fault.reason + row.record.extent))
    }

    /// Takes the next byte if it is this one.
    private mutating func take(_ byte: UInt8) throws(SearchError) -> Bool {
        guard try stream.peek() == byte else { return false }
        _ = try stream.next()
        return true
    }
}
