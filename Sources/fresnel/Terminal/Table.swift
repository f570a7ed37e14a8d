/// Rows of cells with a heading, made to fit the terminal; where there is none, nothing is cut.
///
/// Texts give way to numbers, which are never cut. Where the terminal is too narrow for a line of
/// all columns, each row becomes a block with a line for every cell.
struct Table {
    /// One column.
    struct Column {
        let title: String
        /// Numbers stand at the right.
        var isNumber = false
    }

    let columns: [Column]
    /// Columns of the terminal; nil where no row is too long.
    let width: Int?
    let style: Style
    /// Set by the first rows; later rows follow.
    private var widths: [Int] = []
    /// Whether the terminal is too narrow for lines.
    private var isStacked = false

    /// A text is not made narrower than this.
    private static let leastWidth = 8

    init(_ columns: [Column], width: Int? = Terminal.columns, style: Style = .standard) {
        self.columns = columns
        self.width = width
        self.style = style
    }

    /// The lines of these rows; the first call decides the widths and adds the heading.
    ///
    /// - Parameter marks: UTF-8 ranges to be marked, by row and column; empty for none.
    mutating func lines(_ rows: [[String]], marks: [[[Range<Int>]]] = []) -> [String] {
        var lines: [String] = []
        let given = rows
        let rows = rows.map { $0.map { ShownText.oneLine($0) } }
        if widths.isEmpty {
            widths = fittingWidths(rows)
            isStacked = !fits(widths)
            if !isStacked { lines.append(style.bold(line(columns.map(\.title)))) }
        }
        guard !isStacked else { return rows.flatMap(block) }
        return lines
            + rows.indices.map { row in
                // Offsets hold for the text as it was given.
                let isWhole = given[row].map(\.utf8.count) == rows[row].map(\.utf8.count)
                return line(rows[row], isWhole && row < marks.count ? marks[row] : [])
            }
    }

    /// A row as lines of its own: the first text leads, the others follow with their titles.
    private func block(_ cells: [String]) -> [String] {
        let room = width ?? .max
        let names = columns.map(\.title)
        let lead = columns.firstIndex { !$0.isNumber } ?? 0
        let others = columns.indices.filter { $0 != lead }
        let indent = (others.map { DisplayWidth.columns(of: names[$0]) }.max() ?? 0) + 4
        let head = style.bold(cells[lead].isEmpty ? names[lead] : cells[lead])
        return [head]
            + others.compactMap { position in
                let cell = cells[position]
                guard !cell.isEmpty else { return nil }
                let head = DisplayWidth.fit("  \(names[position])", to: indent)
                // An identifier or a number that wraps is better than one that is cut.
                guard !columns[position].isNumber, room - indent >= Self.leastWidth else {
                    return head + cell
                }
                let isTooWide = DisplayWidth.columns(of: cell) > room - indent
                return head + (isTooWide ? DisplayWidth.fit(cell, to: room - indent) : cell)
            }
    }

    private func line(_ cells: [String], _ marks: [[Range<Int>]] = []) -> String {
        var parts: [String] = []
        for (position, cell) in cells.enumerated() {
            let isTooWide = DisplayWidth.columns(of: cell) > widths[position]
            let fitted =
                width == nil && isTooWide
                ? cell : DisplayWidth.fit(cell, to: widths[position])
            let blanks = fitted.reversed().prefix { $0 == " " }.count
            parts.append(
                columns[position].isNumber && blanks > 0
                    ? String(repeating: " ", count: blanks) + fitted.dropLast(blanks)
                    : position < marks.count ? marked(fitted, marks[position], of: cell) : fitted)
        }
        let line = parts.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// The fitted text with the marks of its cell, as far as it shows the cell.
    private func marked(_ fitted: String, _ marks: [Range<Int>], of cell: String) -> String {
        guard style.isColoured, !marks.isEmpty else { return fitted }
        let shown = zip(fitted, cell).prefix { $0 == $1 }.reduce(0) { $0 + $1.0.utf8.count }
        let bytes = Array(fitted.utf8)
        var text = ""
        var end = 0
        for mark in marks.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let mark = mark.clamped(to: end..<max(end, shown))
            text += String(decoding: bytes[end..<mark.lowerBound], as: UTF8.self)
            text += style.mark(String(decoding: bytes[mark], as: UTF8.self))
            end = mark.upperBound
        }
        return text + String(decoding: bytes[end...], as: UTF8.self)
    }

    private func fits(_ widths: [Int]) -> Bool {
        guard let width else { return true }
        return widths.reduce(0, +) + 2 * (columns.count - 1) <= width
    }

    /// The widest texts give way until the row fits.
    private func fittingWidths(_ rows: [[String]]) -> [Int] {
        var widths = columns.map { DisplayWidth.columns(of: $0.title) }
        for row in rows {
            for (position, cell) in row.enumerated() {
                widths[position] = max(widths[position], DisplayWidth.columns(of: cell))
            }
        }
        while !fits(widths) {
            let texts = widths.indices.filter { !columns[$0].isNumber }
            guard let widest = texts.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > Self.leastWidth
            else { break }
            widths[widest] -= 1
        }
        return widths
    }
}
