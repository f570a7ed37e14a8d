/// Rows of cells with a heading, made to fit the terminal.
struct Table {
    /// One column.
    struct Column {
        let title: String
        /// Numbers stand at the right.
        var isNumber = false
    }

    let columns: [Column]
    /// Columns of the terminal.
    let width: Int
    let style: Style
    /// Set by the first rows; later rows follow.
    private var widths: [Int] = []

    init(_ columns: [Column], width: Int = Terminal.columns, style: Style = .standard) {
        self.columns = columns
        self.width = width
        self.style = style
    }

    /// The lines of these rows; the first call decides the widths and adds the heading.
    mutating func lines(_ rows: [[String]]) -> [String] {
        var lines: [String] = []
        let rows = rows.map { $0.map(Self.oneLine) }
        if widths.isEmpty {
            widths = fittingWidths(rows)
            lines.append(style.bold(line(columns.map(\.title))))
        }
        return lines + rows.map(line)
    }

    private func line(_ cells: [String]) -> String {
        var parts: [String] = []
        for (position, cell) in cells.enumerated() {
            let fitted = DisplayWidth.fit(cell, to: widths[position])
            let blanks = fitted.reversed().prefix { $0 == " " }.count
            parts.append(
                columns[position].isNumber && blanks > 0
                    ? String(repeating: " ", count: blanks) + fitted.dropLast(blanks) : fitted)
        }
        let line = parts.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// The widest cells give way until the row fits.
    private func fittingWidths(_ rows: [[String]]) -> [Int] {
        var widths = columns.map { DisplayWidth.columns(of: $0.title) }
        for row in rows {
            for (position, cell) in row.enumerated() {
                widths[position] = max(widths[position], DisplayWidth.columns(of: cell))
            }
        }
        let room = max(width - 2 * (columns.count - 1), 8 * columns.count)
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > 8,
            let position = widths.firstIndex(of: widest)
        {
            widths[position] -= 1
        }
        return widths
    }

    /// Line breaks and controls would break the table.
    private static func oneLine(_ cell: String) -> String {
        guard cell.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return cell }
        return String(
            String.UnicodeScalarView(
                cell.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
