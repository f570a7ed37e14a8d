/// One scalar read from UTF-8, with its length in bytes.
///
/// Bytes that are not UTF-8 are read one by one as U+FFFD, so that any input has a reading.
struct DecodedScalar {
    var value: UInt32
    var length: Int

    /// Reads the scalar at `offset`, which must be inside `bytes`.
    init(_ bytes: borrowing Span<UInt8>, at offset: Int) {
        let lead = UInt32(bytes[offset])
        let left = bytes.count - offset
        if lead < 0x80 {
            self.init(value: lead, length: 1)
        } else if lead < 0xE0, left > 1, let one = Self.tail(bytes, offset + 1) {
            self.init(checking: (lead & 0x1F) << 6 | one, length: 2, least: 0x80)
        } else if lead >= 0xE0, lead < 0xF0, left > 2, let one = Self.tail(bytes, offset + 1),
            let two = Self.tail(bytes, offset + 2)
        {
            self.init(checking: (lead & 0x0F) << 12 | one << 6 | two, length: 3, least: 0x800)
        } else if lead >= 0xF0, lead < 0xF8, left > 3, let one = Self.tail(bytes, offset + 1),
            let two = Self.tail(bytes, offset + 2), let three = Self.tail(bytes, offset + 3)
        {
            let value = (lead & 0x07) << 18 | one << 12 | two << 6 | three
            self.init(checking: value, length: 4, least: 0x10000)
        } else {
            self.init(value: 0xFFFD, length: 1)
        }
    }

    private init(value: UInt32, length: Int) {
        self.value = value
        self.length = length
    }

    /// Refuses overlong forms, surrogates and values beyond Unicode.
    private init(checking value: UInt32, length: Int, least: UInt32) {
        let isScalar = value >= least && value <= 0x10FFFF && !(0xD800...0xDFFF).contains(value)
        self.init(value: isScalar ? value : 0xFFFD, length: isScalar ? length : 1)
    }

    private static func tail(_ bytes: borrowing Span<UInt8>, _ offset: Int) -> UInt32? {
        let byte = bytes[offset]
        return byte & 0xC0 == 0x80 ? UInt32(byte & 0x3F) : nil
    }
}

/// Appends one scalar as UTF-8.
func appendUTF8(_ scalar: UInt32, to bytes: inout [UInt8]) {
    switch scalar {
    case 0..<0x80:
        bytes.append(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800:
        bytes.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    case 0x800..<0x10000:
        bytes.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    default:
        bytes.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }
}
