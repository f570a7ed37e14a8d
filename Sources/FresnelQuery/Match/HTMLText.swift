// Not a browser: tags are recognised by their brackets, never checked or nested, so that any bytes
// give some text in one pass. What is kept: text and the characters behind references. What is
// dropped: tags, comments, declarations, scripts and styles. White space collapses to one space;
// an element that starts a line or a cell of its own separates words with a line break.

/// Takes the text out of a page of HTML, as a reader would see it.
package enum HTMLText {
    /// The text of a page, without white space at its ends.
    package static func text(of page: String) -> String {
        var reader = HTMLReader(Array(page.utf8))
        return reader.text()
    }
}

/// One pass over the bytes of a page.
private struct HTMLReader {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []
    /// What stands between the last text and the next.
    private var gap: Gap = .none

    private enum Gap {
        case none, space, line
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func text() -> String {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"): markup()
            case UInt8(ascii: "&"): reference()
            case 0x20, 0x09...0x0D:
                if gap == .none { gap = .space }
                position += 1
            default:
                append(bytes[position])
                position += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func append(_ byte: UInt8) {
        if !output.isEmpty {
            switch gap {
            case .none: break
            case .space: output.append(0x20)
            case .line: output.append(0x0A)
            }
        }
        gap = .none
        output.append(byte)
    }

    private func byte(_ distance: Int) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    private mutating func markup() {
        let second = byte(1)
        if second == UInt8(ascii: "!") || second == UInt8(ascii: "?") {
            let isComment = byte(2) == UInt8(ascii: "-") && byte(3) == UInt8(ascii: "-")
            position += 2
            skip(past: isComment ? "-->" : ">")
            return
        }
        let isClosing = second == UInt8(ascii: "/")
        let nameStart = position + (isClosing ? 2 : 1)
        guard nameStart < bytes.count, Self.isLetter(bytes[nameStart]) else {
            append(bytes[position])
            position += 1
            return
        }
        position = nameStart
        while let next = byte(0), Self.isLetter(next) || Self.isDigit(next) { position += 1 }
        let name = String(decoding: bytes[nameStart..<position], as: UTF8.self).lowercased()
        skipAttributes()
        if !Self.inlineElements.contains(name) { gap = .line }
        guard !isClosing, name == "script" || name == "style" else { return }
        skip(past: "</\(name)")
        skip(past: ">")
    }

    /// Skips to the end of the tag; a bracket inside quotes does not end it.
    private mutating func skipAttributes() {
        var quote: UInt8?
        while let next = byte(0) {
            position += 1
            if let open = quote {
                if next == open { quote = nil }
            } else if next == UInt8(ascii: ">") {
                return
            } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
                quote = next
            }
        }
    }

    /// Skips past the first occurrence of lower-case `end` in any case, or to the end of the page.
    private mutating func skip(past end: String) {
        let end = Array(end.utf8)
        while position + end.count <= bytes.count {
            let isHere = (0..<end.count).allSatisfy { index in
                let byte = bytes[position + index]
                return (Self.isLetter(byte) ? byte | 0x20 : byte) == end[index]
            }
            if isHere {
                position += end.count
                return
            }
            position += 1
        }
        position = bytes.count
    }

    /// Reads `&name;`, `&#number;` or `&#xnumber;`; anything else is text.
    private mutating func reference() {
        let longest = HTMLEntities.longestName + 2
        let window = bytes[(position + 1)..<min(bytes.count, position + 1 + longest)]
        guard let end = window.firstIndex(of: UInt8(ascii: ";")), end > position + 1,
            let scalar = Self.scalar(of: bytes[(position + 1)..<end])
        else {
            append(bytes[position])
            position += 1
            return
        }
        position = end + 1
        if scalar.properties.isWhitespace {
            if gap == .none { gap = .space }
        } else {
            for byte in String(Character(scalar)).utf8 { append(byte) }
        }
    }

    /// The character behind a reference, without its `&` and `;`.
    private static func scalar(of name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let name = String(decoding: name, as: UTF8.self)
        guard name.hasPrefix("#") else { return HTMLEntities.byName[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, !digits.contains("+") else { return nil }
        return number == 0 ? "\u{FFFD}" : Unicode.Scalar(number) ?? "\u{FFFD}"
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Elements inside a line of text; all others begin a new one.
    private static let inlineElements: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn",
        "em", "font", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike",
        "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
    ]
}
