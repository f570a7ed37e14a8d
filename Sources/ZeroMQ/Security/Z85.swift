// ZeroMQ RFC 32: four bytes are five characters of an alphabet that is safe in source files and
// shells. Five characters can say more than four bytes; such groups are refused.

/// Bytes as text, in the form of ZeroMQ RFC 32.
package enum Z85 {
    private static let alphabet = Array(
        ("0123456789abcdefghijklmnopqrstuvwxyz"
            + "ABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#").utf8)

    private static let values: [UInt8: UInt64] = Dictionary(
        uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt64($0)) })

    /// Five characters for each four bytes; the count must be a multiple of four.
    package static func encode(_ bytes: [UInt8]) -> String {
        precondition(bytes.count % 4 == 0, "Z85 takes groups of 4 bytes, not \(bytes.count)")
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 4 * 5)
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let value = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            var divisor: UInt32 = 85 * 85 * 85 * 85
            while divisor > 0 {
                text.append(alphabet[Int(value / divisor % 85)])
                divisor /= 85
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or nil for text that is not Z85.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 5 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 5 * 4)
        for start in stride(from: 0, to: characters.count, by: 5) {
            var value: UInt64 = 0
            for character in characters[start..<start + 5] {
                guard let digit = values[character] else { return nil }
                value = value * 85 + digit
            }
            guard let group = UInt32(exactly: value) else { return nil }
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
        }
        return bytes
    }
}
