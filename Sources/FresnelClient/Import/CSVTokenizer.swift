// RFC 4180, one byte at a time: cells are separated by commas, rows by LF or CRLF; a cell in double
// quotes may hold both, and a quote is doubled inside. A row that breaks the rules is refused where
// it breaks them and reading goes on behind the next line break.

/// Cuts a table into rows.
struct CSVTokenizer: ~Copyable {
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private var stream: ByteStream
    private var rowBytes = 0

    init(_ source: ImportSource) throws(SearchError) {
        stream = try ByteStream(source)
    }

    var line: Int { stream.line }

    /// The next row that is not empty; nil at the end.
    mutating func next() throws(SearchError) -> Result<CSVRecord, ImportRefusal>? {
        while let byte = try stream.peek(), byte == Self.lineFeed || byte == Self.carriageReturn {
            _ = try stream.next()
        }
        guard try stream.peek() != nil else { return nil }
        rowBytes = 0
        var record = CSVRecord(cells: [], line: stream.line)
        while true {
            let cell: Result<CSVRecord.Cell, ImportRefusal> =
                try stream.peek() == Self.quote ? try quotedCell() : try plainCell()
            switch cell {
            case .failure(let refusal):
                try skipLine()
                return .failure(refusal)
            case .success(let cell): record.cells.append(cell)
            }
            if let refusal = tooLarge(record) {
                try skipLine()
                return .failure(refusal)
            }
            guard try stream.peek() == Self.comma else { break }
            _ = try stream.next()
        }
        try skipLine()
        return .success(record)
    }

    /// A cell without quotes, up to a comma or the end of the line.
    private mutating func plainCell() throws(SearchError) -> Result<CSVRecord.Cell, ImportRefusal> {
        let (line, column) = (stream.line, stream.column)
        var bytes: [UInt8] = []
        while let byte = try stream.peek(), byte != Self.comma, byte != Self.lineFeed {
            guard byte != Self.quote else {
                return .failure(
                    refusal(
                        "a quote inside a cell without quotes; put the cell in quotes and double it"
                    ))
            }
            _ = try stream.next()
            bytes.append(byte)
            guard bytes.count <= ImportLimits.entryBytes else { break }
        }
        if bytes.last == Self.carriageReturn, try stream.peek() != Self.comma {
            bytes.removeLast()
        }
        rowBytes += bytes.count
        return .success(CSVRecord.Cell(bytes: bytes, line: line, column: column))
    }

    /// A cell in quotes, and what stands between it and the comma or the end of the line.
    private mutating func quotedCell() throws(SearchError) -> Result<CSVRecord.Cell, ImportRefusal>
    {
        let (line, column) = (stream.line, stream.column)
        var bytes: [UInt8] = []
        _ = try stream.next()
        while true {
            guard let byte = try stream.next() else {
                return .failure(
                    ImportRefusal(
                        line: line, column: column, reason: "the quote is never closed"))
            }
            if byte == Self.quote {
                guard try stream.peek() == Self.quote else { break }
                _ = try stream.next()
            }
            bytes.append(byte)
            guard bytes.count <= ImportLimits.entryBytes else { break }
        }
        rowBytes += bytes.count
        if try stream.peek() == Self.carriageReturn { _ = try stream.next() }
        switch try stream.peek() {
        case nil, Self.comma, Self.lineFeed:
            return .success(CSVRecord.Cell(bytes: bytes, line: line, column: column))
        default:
            return .failure(refusal("text after the closing quote; double quotes inside a cell"))
        }
    }

    private func tooLarge(_ record: CSVRecord) -> ImportRefusal? {
        if rowBytes > ImportLimits.entryBytes {
            return ImportRefusal(
                line: record.line, reason: "the row has more than \(ImportLimits.entryBytes) bytes")
        }
        guard record.cells.count > ImportLimits.columns else { return nil }
        return ImportRefusal(
            line: record.line, reason: "the row has more than \(ImportLimits.columns) cells")
    }

    private func refusal(_ reason: String) -> ImportRefusal {
        ImportRefusal(line: stream.line, column: stream.column, reason: reason)
    }

    private mutating func skipLine() throws(SearchError) {
        while let byte = try stream.next(), byte != Self.lineFeed {}
    }
}
