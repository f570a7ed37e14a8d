import FresnelKernels

/// Reads the parts of a plain document; nil wherever a document is anything else.
///
/// Lengths must be as short as they can be: what is written longer would be stored otherwise.
struct PlainReader: ~Escapable {
    let bytes: Span<UInt8>
    private(set) var place: Int
    let end: Int

    /// Reads a part of `bytes`; nil where it leaves them.
    @_lifetime(copy bytes)
    init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        self.bytes = bytes
        place = range.lowerBound
        end = range.upperBound
    }

    @inline(__always)
    mutating func byte() -> UInt8? {
        guard place < end else { return nil }
        defer { place &+= 1 }
        return bytes[place]
    }

    /// A LEB128 number below 2 MiB.
    @inline(__always)
    mutating func length() -> Int? {
        guard let first = byte() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        guard let second = byte() else { return nil }
        let low = Int(first & 0x7F) | Int(second & 0x7F) &<< 7
        guard second >= 0x80 else { return second == 0 ? nil : low }
        guard let third = byte(), third > 0, third < 0x80 else { return nil }
        return low | Int(third) &<< 14
    }

    /// A length and the place of as many bytes.
    @inline(__always)
    mutating func slice() -> Range<Int>? {
        guard let length = length(), length <= end &- place else { return nil }
        defer { place &+= length }
        return place..<place &+ length
    }

    /// A length and the place of as many bytes of UTF-8, at least one.
    @inline(__always)
    mutating func text() -> Range<Int>? {
        guard let slice = slice(), !slice.isEmpty, isText(slice) else { return nil }
        return slice
    }

    /// The next attribute, if its value is of a kind that plain documents have.
    mutating func attribute() -> PlainAttribute? {
        guard let number = length(), number <= AttributeNumber.last else { return nil }
        var name = PlainAttribute.Name.known(number)
        if number == 0 {
            guard let place = slice() else { return nil }
            name = .custom(place)
        }
        guard let type = byte().flatMap({ ValueType(rawValue: $0) }), let place = slice(),
            let value = value(of: type, in: place)
        else { return nil }
        return PlainAttribute(name: name, value: value)
    }

    /// Whether bytes are UTF-8.
    @inline(__always)
    func isText(_ range: Range<Int>) -> Bool {
        // Where they are not, decoding says so.
        (try? UTF8Span(validating: bytes.extracting(range))) != nil
    }

    /// Whether every part of a domain has at least one character.
    func isDomain(_ range: Range<Int>) -> Bool {
        var isBegun = false
        for place in range {
            guard bytes[place] == UInt8(ascii: ".") else {
                isBegun = true
                continue
            }
            guard isBegun else { return false }
            isBegun = false
        }
        return isBegun
    }

    private func value(of type: ValueType, in place: Range<Int>) -> PlainAttribute.Value? {
        switch type {
        case .string: .text(place)
        case .strings: .texts(place)
        case .number: number(place).map { .number($0) }
        case .date: number(place).map { .date($0) }
        case .removal, .numbers, .dates, .bytes, .byteStrings, .persons, .localized, .dictionary:
            nil
        }
    }

    /// Eight bytes that are a finite number.
    private func number(_ place: Range<Int>) -> Double? {
        guard place.count == 8 else { return nil }
        var bits: UInt64 = 0
        for (shift, place) in place.enumerated() {
            bits |= UInt64(bytes[place]) &<< UInt64(8 &* shift)
        }
        let number = Double(bitPattern: bits)
        return number.isFinite ? number : nil
    }
}
