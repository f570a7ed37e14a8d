import FresnelModel

/// One encoded attribute: where its parts stand, nothing decoded.
struct AttributeEntry {
    /// The number of a known attribute, 0 for a custom one.
    let number: Int
    /// The place of a custom attribute's name; empty for a known one.
    let name: Range<Int>
    /// The type byte.
    let type: UInt8
    /// The place of the value.
    let value: Range<Int>
    /// The place of the whole attribute.
    let whole: Range<Int>
}

/// Walks over the encoded attributes of a document or patch; values are passed over.
struct AttributeScanner {
    private var reader: WireReader
    private var left: Int
    private let limits: WireLimits

    /// Starts at the attribute count.
    init(_ reader: WireReader, limits: WireLimits) throws(WireError) {
        self.reader = reader
        self.limits = limits
        // Name, type and length take at least three bytes.
        left = try self.reader.count(limit: limits.attributes, bytesEach: 3)
    }

    /// The next attribute, or nil after the last, which must end the bytes.
    mutating func next() throws(WireError) -> AttributeEntry? {
        guard left > 0 else {
            try reader.requireEnd()
            return nil
        }
        left -= 1
        let start = reader.offset
        let number = try reader.varint()
        guard number <= UInt64(AttributeNumber.last) else {
            throw reader.broken("attribute number \(number) is unknown; send the name")
        }
        let name =
            number == 0
            ? try reader.slice(limit: limits.attributeNameBytes) : start..<start
        let type = try reader.byte()
        let value = try reader.slice()
        return AttributeEntry(
            number: Int(number), name: name, type: type, value: value,
            whole: start..<reader.offset)
    }

    /// The name of an attribute.
    func name(of entry: AttributeEntry) throws(WireError) -> String {
        if let known = AttributeNumber.name(of: entry.number) { return known }
        return try Self.name(in: entry.name, of: reader)
    }

    /// A name that is written out.
    static func name(in range: Range<Int>, of reader: WireReader) throws(WireError) -> String {
        let bytes = reader.bytes[range]
        let dot = UInt8(ascii: ".")
        guard bytes.allSatisfy(Self.isNameByte), let first = bytes.first, first != dot,
            bytes.last != dot
        else {
            throw reader.broken(
                "attribute name at offset \(range.lowerBound) is not letters, digits and _, with . "
                    + "between them")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of an attribute.
    func value(of entry: AttributeEntry) throws(WireError) -> AttributeValue {
        var value = try WireReader(reader.bytes, in: entry.value, as: .attribute)
        return try value.value(of: entry.type, limits: limits)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
