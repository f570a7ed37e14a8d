extension [UInt8] {
    /// Appends an integer, most significant byte first.
    mutating func appendNetwork<Number: FixedWidthInteger & UnsignedInteger>(_ value: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> Number(shift)))
        }
    }

    /// The integer whose most significant byte stands at `offset`; the caller checked the bounds.
    func network<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
        var value: Number = 0
        for position in offset..<offset + Number.bitWidth / 8 {
            value = value << 8 | Number(truncatingIfNeeded: self[position])
        }
        return value
    }
}
