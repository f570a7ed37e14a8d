/// A hash of 128 bits.
package struct Hash128: Hashable, Comparable, Sendable {
    /// The high 64 bits.
    package let high: UInt64
    /// The low 64 bits.
    package let low: UInt64

    /// Joins two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 32 hexadecimal digits, as `description` writes them, or nil.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 32 else { return nil }
        var halves: [UInt64] = [0, 0]
        for (position, digit) in digits.enumerated() {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            halves[position / 16] = halves[position / 16] << 4 | UInt64(value)
        }
        self.init(high: halves[0], low: halves[1])
    }

    /// The smaller number is the lesser.
    package static func < (lhs: Hash128, rhs: Hash128) -> Bool {
        (lhs.high, lhs.low) < (rhs.high, rhs.low)
    }
}

extension Hash128: CustomStringConvertible {
    /// 32 hexadecimal digits, the high half first (xxHash's canonical form).
    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(32)
        for half in [high, low] {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                let digit = UInt8(half >> shift & 15)
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
