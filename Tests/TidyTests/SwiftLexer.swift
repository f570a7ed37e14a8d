/// Separates a Swift file's code from its comments, and empties its string literals, line by line.
///
/// Enough of the language for rules about words: nested comments, escapes, raw and multi-line
/// strings. What an interpolation contains counts as string. Regular expressions between slashes
/// are read as code.
struct SwiftLexer {
    /// A line, taken apart.
    struct Line: Equatable, Sendable {
        var code = ""
        var comment = ""
    }

    private enum State {
        case code
        case lineComment
        case blockComment(depth: Int)
        case string(hashes: Int, quotes: Int, interpolation: Int)
    }

    private var bytes: [UInt8] = []
    private var position = 0
    private var state = State.code
    private var code: [UInt8] = []
    private var comment: [UInt8] = []

    static func separate(_ lines: [String]) -> [Line] {
        var lexer = SwiftLexer()
        return lines.map { lexer.next($0) }
    }

    private mutating func next(_ line: String) -> Line {
        bytes = Array(line.utf8)
        // Most lines are nothing but code, or nothing but comment.
        if case .code = state {
            let first = bytes.first { $0 != UInt8(ascii: " ") }
            if first == UInt8(ascii: "/"), line.drop(while: { $0 == " " }).hasPrefix("//") {
                return Line(comment: line)
            }
            if !bytes.contains(UInt8(ascii: "\"")), !bytes.contains(UInt8(ascii: "/")) {
                return Line(code: line)
            }
        }
        position = 0
        code.removeAll(keepingCapacity: true)
        comment.removeAll(keepingCapacity: true)
        while position < bytes.count { step() }
        if case .lineComment = state { state = .code }
        return Line(
            code: String(decoding: code, as: UTF8.self),
            comment: String(decoding: comment, as: UTF8.self))
    }

    private mutating func step() {
        switch state {
        case .code: stepInCode()
        case .lineComment: takeComment(1)
        case .blockComment(let depth): stepInComment(depth)
        case .string(let hashes, let quotes, let interpolation):
            stepInString(hashes: hashes, quotes: quotes, interpolation: interpolation)
        }
    }

    private mutating func stepInCode() {
        switch bytes[position] {
        case UInt8(ascii: "/") where starts(with: "//"):
            state = .lineComment
            takeComment(2)
        case UInt8(ascii: "/") where starts(with: "/*"):
            state = .blockComment(depth: 1)
            takeComment(2)
        case UInt8(ascii: "#"), UInt8(ascii: "\""):
            guard let (hashes, quotes) = openingQuotes() else { return takeCode(1) }
            state = .string(hashes: hashes, quotes: quotes, interpolation: 0)
            takeCode(hashes + quotes)
        default: takeCode(1)
        }
    }

    private mutating func stepInComment(_ depth: Int) {
        let change = starts(with: "/*") ? 1 : starts(with: "*/") ? -1 : 0
        takeComment(change == 0 ? 1 : 2)
        state = depth + change == 0 ? .code : .blockComment(depth: depth + change)
    }

    private mutating func stepInString(hashes: Int, quotes: Int, interpolation: Int) {
        var open = interpolation
        if interpolation > 0 {
            open += starts(with: "(") ? 1 : starts(with: ")") ? -1 : 0
            position += 1
        } else if starts(with: "\\", then: hashes) {
            position += 1 + hashes
            if starts(with: "(") { open = 1 }
            position += 1
        } else if starts(with: quotes == 3 ? "\"\"\"" : "\"", then: hashes) {
            state = .code
            return takeCode(quotes + hashes)
        } else {
            position += 1
        }
        state = .string(hashes: hashes, quotes: quotes, interpolation: open)
    }

    /// The number of hashes and quotes, if a string begins here.
    private func openingQuotes() -> (hashes: Int, quotes: Int)? {
        let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        guard starts(with: "\"", after: hashes) else { return nil }
        return (hashes, starts(with: "\"\"\"", after: hashes) ? 3 : 1)
    }

    /// Whether the next bytes are `text`, `skipped` bytes from here, with `hashes` behind it.
    private func starts(with text: StaticString, after skipped: Int = 0, then hashes: Int = 0)
        -> Bool
    {
        let start = position + skipped
        let end = start + text.utf8CodeUnitCount + hashes
        guard end <= bytes.count else { return false }
        return bytes[start..<end - hashes].elementsEqual(text.description.utf8)
            && bytes[end - hashes..<end].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private mutating func takeCode(_ count: Int) {
        code += bytes[position..<min(position + count, bytes.count)]
        position += count
    }

    private mutating func takeComment(_ count: Int) {
        comment += bytes[position..<min(position + count, bytes.count)]
        position += count
    }
}
