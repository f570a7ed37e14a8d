// Programs write tables in several ways under one ending: Excel takes the semicolon where the
// decimal mark is a comma, `\t` comes from copying and `|` from databases, old Macs ended lines
// with CR alone, and who ends them twice writes CR CR LF. The header row tells them apart.

/// How the rows and cells of a table are separated.
struct CSVLayout: Equatable {
    /// What is found without being told; the first of equally frequent ones counts.
    private static let usual = Array(",;\t|".utf8)
    /// Looked at to find the header row.
    static let headerBytes = 64 << 10

    /// Stands between cells.
    let delimiter: UInt8
    /// Whether rows end with CR alone.
    let hasOldLineEnds: Bool
    /// Whether the first line is `sep=;`, as Excel writes it, and no header row.
    let hasSeparatorLine: Bool

    /// - Parameters:
    ///   - beginning: the table up to its first line feed, or as much as was looked at.
    ///   - told: what the user said; nil to find it.
    init(_ beginning: [UInt8], told: UInt8?) {
        hasOldLineEnds = Self.isEndedByCarriageReturn(beginning)
        let separator = Self.separatorLine(beginning)
        hasSeparatorLine = separator != nil
        delimiter = told ?? separator ?? Self.delimiter(of: beginning)
    }

    private static func separatorLine(_ beginning: [UInt8]) -> UInt8? {
        let line = beginning.prefix { $0 != UInt8(ascii: "\r") }
        guard line.count == 5, line.starts(with: Array("sep=".utf8)) else { return nil }
        return line.last
    }

    /// Whether there is a carriage return outside of quotes with something behind it.
    private static func isEndedByCarriageReturn(_ line: [UInt8]) -> Bool {
        var isQuoted = false
        let end = line.lastIndex { $0 != UInt8(ascii: "\r") } ?? 0
        for byte in line[..<end] {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: "\r"), !isQuoted { return true }
        }
        return false
    }

    /// The most frequent one of the usual ones outside of quotes, in the first row.
    private static func delimiter(of line: [UInt8]) -> UInt8 {
        var counts = [Int](repeating: 0, count: usual.count)
        var isQuoted = false
        for byte in line {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: "\r"), !isQuoted { break }
            if !isQuoted, let place = usual.firstIndex(of: byte) { counts[place] += 1 }
        }
        let most = counts.max() ?? 0
        return usual[counts.firstIndex(of: most) ?? 0]
    }
}
