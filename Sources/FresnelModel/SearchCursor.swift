/// A place in an answer that a later search can go on from, or back from.
///
/// It comes with a completion and is opaque. As text it is URL-safe Base64 (RFC 4648, section 5)
/// without padding, so that it fits a link or a command line.
public struct SearchCursor: Hashable, Sendable {
    /// The cursor as it travels.
    public let bytes: [UInt8]

    /// Takes the bytes of a completion.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the text of a cursor.
    ///
    /// - Throws: `SearchError` `.invalidArgument` for a text that is none.
    public init(_ text: String) throws(SearchError) {
        guard !text.isEmpty, text.utf8.count <= Limits.cursorBytes / 3 * 4,
            let bytes = Self.decode(Array(text.utf8))
        else {
            throw SearchError(.invalidArgument, "the text is not a cursor")
                .hinting("take the one that a completion shows as next or previous, whole")
        }
        self.bytes = bytes
    }
}

extension SearchCursor: CustomStringConvertible {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text that `init(_:)` reads.
    public var description: String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for digit in 0...group.count {
                text.append(Self.alphabet[Int(bits >> UInt32(18 - 6 * digit)) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil when it is not the one text of some bytes.
    private static func decode(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bits & (1 << count - 1) == 0 ? bytes : nil
    }
}
