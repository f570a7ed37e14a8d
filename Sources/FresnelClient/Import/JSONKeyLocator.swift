/// Finds where a key stands in a text of JSON, for messages; the text is known to be well formed.
enum JSONKeyLocator {
    /// Line and column of the key that `path` leads to, from 1; those of the nearest key above it
    /// when the key is missing, which is the start of the text for a missing key at the top.
    static func place(of path: [String], in text: [UInt8]) -> (line: Int, column: Int) {
        var offset = 0
        var scanner = Scanner(bytes: text)
        for key in path {
            guard let found = scanner.enter(key) else { break }
            offset = found
        }
        let before = text[..<offset]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (
            line: before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) },
            column: before[start...].reduce(1) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        )
    }

    /// Walks over tokens without decoding values.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// Goes to the value of a key of the object that begins next; the offset of the key.
        mutating func enter(_ key: String) -> Int? {
            skipSpace()
            guard peek() == UInt8(ascii: "{") else { return nil }
            position += 1
            while true {
                skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
                guard peek() == UInt8(ascii: "\"") else { return nil }
                let start = position
                let text = string()
                skip { $0 == UInt8(ascii: ":") || Self.isSpace($0) }
                if text == Array(key.utf8) { return start }
                skipValue()
            }
        }

        /// The bytes between quotes as written; keys with escapes are not found, only skipped.
        private mutating func string() -> [UInt8] {
            position += 1
            let start = position
            while let byte = peek(), byte != UInt8(ascii: "\"") {
                position += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            let text = bytes[min(start, bytes.count)..<min(position, bytes.count)]
            position += 1
            return Array(text)
        }

        private mutating func skipValue() {
            var depth = 0
            while let byte = peek() {
                switch byte {
                case UInt8(ascii: "\""):
                    _ = string()
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard depth > 0 else { return }
                    depth -= 1
                case UInt8(ascii: ",") where depth == 0: return
                default: break
                }
                position += 1
            }
        }

        private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func skipSpace() { skip(Self.isSpace) }

        private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
            while let byte = peek(), isSkipped(byte) { position += 1 }
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }
    }
}
