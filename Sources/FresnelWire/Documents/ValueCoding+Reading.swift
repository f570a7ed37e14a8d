import FresnelKernels
import FresnelModel

extension WireReader {
    /// Reads a whole value of a type; the reader covers exactly the value.
    mutating func value(of type: UInt8, limits: WireLimits) throws(WireError) -> AttributeValue {
        guard let type = ValueType(rawValue: type), type != .removal else {
            throw broken("value type \(type) does not exist")
        }
        let value = try value(of: type, limits.valueElements)
        try requireEnd()
        return value
    }

    private mutating func value(
        of type: ValueType, _ limit: Int
    ) throws(WireError) -> AttributeValue {
        switch type {
        case .removal: throw broken("a removal has no value")
        case .string: .string(try text(in: rest()))
        case .strings: .strings(try texts(limit: limit))
        case .number: .number(try double())
        case .numbers: .numbers(try doubles(limit: limit))
        case .date: .date(try timestamp())
        case .dates: .dates(try timestamps(limit: limit))
        case .bytes: .bytes(copy(try rest()))
        case .byteStrings: .byteStrings(try byteStrings(limit: limit))
        case .persons: .persons(try persons(limit: limit))
        case .localized: .localized(try localized(limit: limit))
        case .dictionary: .dictionary(try dictionary(limit: limit))
        }
    }

    mutating func texts(limit: Int) throws(WireError) -> [String] {
        let count = try count(limit: limit)
        var texts: [String] = []
        texts.reserveCapacity(count)
        for _ in 0..<count { texts.append(try text()) }
        return texts
    }

    mutating func timestamp() throws(WireError) -> Timestamp {
        guard let date = Timestamp(seconds: try double()) else { throw broken("no such date") }
        return date
    }

    /// Reads the byte that says which of `count` texts are there.
    mutating func presence(_ count: Int) throws(WireError) -> PresenceBits {
        let start = offset
        let bits = try byte()
        guard bits >> count == 0 else {
            throw broken("presence bits \(bits) at offset \(start) say more than \(count) texts")
        }
        return PresenceBits(bits: bits)
    }

    mutating func optionalText(_ isPresent: Bool) throws(WireError) -> String? {
        isPresent ? try text() : nil
    }

    private mutating func doubles(limit: Int) throws(WireError) -> [Double] {
        let count = try eights(limit: limit)
        var numbers: [Double] = []
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(try double()) }
        return numbers
    }

    private mutating func timestamps(limit: Int) throws(WireError) -> [Timestamp] {
        let count = try eights(limit: limit)
        var dates: [Timestamp] = []
        dates.reserveCapacity(count)
        for _ in 0..<count { dates.append(try timestamp()) }
        return dates
    }

    private mutating func byteStrings(limit: Int) throws(WireError) -> [[UInt8]] {
        let count = try count(limit: limit)
        var strings: [[UInt8]] = []
        strings.reserveCapacity(count)
        for _ in 0..<count { strings.append(copy(try slice())) }
        return strings
    }

    private mutating func persons(limit: Int) throws(WireError) -> [Person] {
        let count = try count(limit: limit, bytesEach: 2)
        var persons: [Person] = []
        for _ in 0..<count {
            let has = try presence(3)
            persons.append(
                Person(
                    displayName: try optionalText(has[0]),
                    handleIdentifier: try optionalText(has[1]),
                    contactIdentifier: try optionalText(has[2])))
            persons[persons.count - 1].handles = try texts(limit: limit)
        }
        return persons
    }

    private mutating func localized(limit: Int) throws(WireError) -> LocalizedString {
        var text = LocalizedString(defaultText: try text(), variants: [:])
        for _ in 0..<(try count(limit: limit, bytesEach: 2)) {
            let language = try self.text()
            guard text.variants.updateValue(try self.text(), forKey: language) == nil else {
                throw broken("language \(language) stands twice in one localised text")
            }
        }
        return text
    }

    private mutating func dictionary(limit: Int) throws(WireError) -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for _ in 0..<(try count(limit: limit, bytesEach: 2)) {
            let key = try text()
            guard lists.updateValue(try texts(limit: limit), forKey: key) == nil else {
                throw broken("key \(key) stands twice in one dictionary")
            }
        }
        return lists
    }
}

extension WireReader {
    /// Passes over everything that is left and says where it stands.
    mutating func rest() throws(WireError) -> Range<Int> {
        let start = offset
        try skip(base.remaining)
        return start..<offset
    }

    /// How many 8-byte numbers the rest holds.
    private func eights(limit: Int) throws(WireError) -> Int {
        let bytes = base.remaining
        guard bytes % 8 == 0, bytes / 8 <= limit else {
            throw broken("\(bytes) bytes at offset \(offset) are not 8 for each number")
        }
        return bytes / 8
    }
}
