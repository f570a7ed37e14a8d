extension QueryError {
    /// The line of `query` that is wrong, and under it a caret at the place.
    ///
    /// A long line is cut to about `width` columns around the place, with `…` where it was cut.
    package func pointer(in query: String, width: Int = 76) -> String {
        let (line, column) = line(in: query)
        let room = max(width, 8)
        var shown = line
        var caret = column
        if shown.count > room {
            let start = max(0, min(column - room / 2, line.count - room))
            shown = Array(line[start..<min(line.count, start + room)])
            caret -= start
            if start > 0 { shown[0] = "…" }
            if start + room < line.count { shown[shown.count - 1] = "…" }
        }
        return String(shown) + "\n" + String(repeating: " ", count: caret) + "^"
    }

    /// The characters of the line that holds `offset`, and the column of `offset` in it.
    ///
    /// Controls and tabs become spaces, so that columns and characters agree.
    private func line(in query: String) -> (characters: [Character], column: Int) {
        var characters: [Character] = []
        var column: Int?
        var position = 0
        for character in query {
            let next = position + character.utf8.count
            if character.isNewline {
                if next > offset { return (characters, column ?? characters.count) }
                characters = []
            } else {
                if column == nil, next > offset { column = characters.count }
                let isControl = character.unicodeScalars.contains {
                    $0.properties.generalCategory == .control
                }
                characters.append(isControl ? " " : character)
            }
            position = next
        }
        return (characters, column ?? characters.count)
    }
}
