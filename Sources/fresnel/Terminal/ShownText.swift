// What a document, a file or a query holds may command a terminal: move its cursor, colour, rename
// or silence it, or turn the order of letters around, so that people read other words than are
// there. Nothing of that reaches a terminal, a log or a page: `Streams` passes all that is written
// for people through here, and takes no escape sequence but its own.

/// Text as people are shown it.
enum ShownText {
    /// What `Style` and `Streams` write where an escape sequence shall stand: noncharacters, which
    /// no text has to have.
    enum Mark: UInt32, CaseIterable {
        case plain = 0xFDD0
        case bold, dim, yellow, red

        var text: String { Unicode.Scalar(rawValue).map { String(Character($0)) } ?? "" }

        /// The escape sequence of the terminal.
        var sequence: String {
            switch self {
            case .plain: "\u{1B}[0m"
            case .bold: "\u{1B}[1m"
            case .dim: "\u{1B}[2m"
            case .yellow: "\u{1B}[1;33m"
            case .red: "\u{1B}[31m"
            }
        }
    }

    /// One line without anything that commands a terminal, nor a break that would forge another.
    ///
    /// - Parameter isStyled: whether the marks of a style become its sequences. A value, a cell or
    ///   a name has none, and what looks like one is replaced.
    static func oneLine(_ text: String, isStyled: Bool = false) -> String {
        guard isSuspicious(text) || text.utf8.contains(0x0A) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isStyled, let mark = Mark(rawValue: scalar.value) {
                shown += mark.sequence
            } else {
                shown.unicodeScalars.append(replacement(of: scalar) ?? scalar)
            }
        }
        return shown
    }

    /// The same of several lines, whose breaks are ours.
    static func lines(_ text: String) -> String {
        guard isSuspicious(text) else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { oneLine(String($0)) }.joined(separator: "\n")
    }

    /// JSON with what commands a terminal escaped; to whoever reads it as JSON it is the same.
    static func json(_ text: String) -> String {
        guard isSuspicious(text) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            guard scalar != "\n", replacement(of: scalar) != nil else {
                shown.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return shown
    }

    /// Whether a text has anything to replace: one look at its bytes, for the many that have not.
    private static func isSuspicious(_ text: String) -> Bool {
        var (first, second) = (UInt8(0), UInt8(0))
        for byte in text.utf8 {
            switch byte {
            case 0x0A: break
            case 0...0x1F, 0x7F: return true
            case 0x80...0x9F where second == 0xC2: return true
            // U+2028 to U+202E, U+2066 to U+2069, marks.
            case 0xA8...0xAE where (first, second) == (0xE2, 0x80): return true
            case 0xA6...0xA9 where (first, second) == (0xE2, 0x81): return true
            case 0x90...0xAF where (first, second) == (0xEF, 0xB7): return true
            default: break
            }
            (first, second) = (second, byte)
        }
        return false
    }

    /// What is shown in place of a scalar; nil for the scalar itself.
    private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
        case 0...0x1F, 0x7F...0x9F: "\u{FFFD}"
        // Embeddings, overrides and isolates; marks that are no style's.
        case 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF: "\u{FFFD}"
        default: nil
        }
    }
}
