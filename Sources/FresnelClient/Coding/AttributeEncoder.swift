import FoundationEssentials

// A document is flat: attribute name → value. What is nested in a Swift value is found under the
// names on the way there, joined by points, as in JSON that is imported: `size.width`.

/// Gathers the attributes of an `Encodable` value.
final class AttributeSink {
    private var values: AttributeMap<AttributeValue> = [:]
    /// Lists grow element by element, and become values at the end.
    private var lists: [ExactText: [AttributeValue]] = [:]

    /// Stands between the names on the way to a value.
    static let separator = "."

    /// The name of an attribute by the way to it.
    static func name(_ path: [any CodingKey]) -> String {
        path.map(\.stringValue).joined(separator: separator)
    }

    /// Stores a value; two ways to one name are a mistake.
    func store(_ value: AttributeValue, at path: [any CodingKey]) throws {
        let name = Self.name(path)
        guard lists[ExactText(name)] == nil, values.updateValue(value, forKey: name) == nil else {
            throw CodingRefusal(path, "another field is called \(name), too")
        }
    }

    /// Stores the next element of a list; all have the type of the first.
    func append(_ element: AttributeValue, at path: [any CodingKey]) throws {
        let name = Self.name(path)
        guard values[name] == nil else {
            throw CodingRefusal(path, "another field is called \(name), too")
        }
        guard element.type != element.type.multiValued,
            element.type == lists[ExactText(name)]?.first?.type ?? element.type
        else {
            throw CodingRefusal(path, "a list of an attribute has values of one type, and no lists")
        }
        lists[ExactText(name), default: []].append(element)
    }

    /// What was encoded, by name.
    func attributes() -> AttributeMap<AttributeValue> {
        var attributes = values
        for (name, elements) in lists {
            attributes[name.text] = AttributeValue(list: elements)
        }
        return attributes
    }
}

/// Why a value has no attributes, or attributes no value, and where.
struct CodingRefusal: Error {
    /// The way to it, joined by points.
    let place: String
    let reason: String

    init(_ path: [any CodingKey], _ reason: String) {
        place = path.map(\.stringValue).joined(separator: ".")
        self.reason = reason
    }

    /// As the public border says it.
    func error(of subject: String) -> SearchError {
        SearchError(.invalidItem, "\(subject)\(place.isEmpty ? "" : ", \(place)"): \(reason)")
    }
}

/// What a value is as one attribute; nil where it consists of others.
func scalar(_ value: any Encodable, at path: [any CodingKey]) throws -> AttributeValue? {
    switch value {
    case let text as String: return .string(text)
    case let truth as Bool: return .boolean(truth)
    case let number as any BinaryFloatingPoint & Encodable:
        let double = nearestDouble(number)
        guard double.isFinite else { throw CodingRefusal(path, "\(number) is no finite number") }
        return .number(double)
    case let number as any BinaryInteger & Encodable:
        guard let double = exactDouble(number) else {
            // An identifier is a text in the end, with all its digits.
            if AttributeSource.isIdentifier(path) { return .string("\(number)") }
            throw CodingRefusal(
                path, "\(number) has more than the 53 bits of a number; store it as text")
        }
        return .number(double)
    // As it is written: 9.99 is the number that 9.99 is elsewhere.
    case let decimal as Decimal: return Double(decimal.description).map { .number($0) }
    case let date as Date:
        guard let time = Timestamp(seconds: date.timeIntervalSinceReferenceDate) else {
            throw CodingRefusal(path, "\(date) is no finite time")
        }
        return .date(time)
    case let url as URL: return .string(url.absoluteString)
    case let data as Data: return .bytes(Array(data))
    default: return nil
    }
}

private func nearestDouble(_ number: some BinaryFloatingPoint) -> Double { Double(number) }

private func exactDouble(_ number: some BinaryInteger) -> Double? { Double(exactly: number) }

/// Encodes one value, or the fields of one, under the names that lead to it.
struct AttributeEncoder: Encoder {
    let sink: AttributeSink
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FieldEncoder<Key>(sink: sink, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ElementEncoder(sink: sink, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ValueEncoder(sink: sink, codingPath: codingPath)
    }

    func encode(_ value: some Encodable) throws {
        if let scalar = try scalar(value, at: codingPath) {
            try sink.store(scalar, at: codingPath)
        } else {
            try value.encode(to: self)
        }
    }
}

/// The fields of a value.
private struct FieldEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sink: AttributeSink
    let codingPath: [any CodingKey]

    private func encoder(_ key: any CodingKey) -> AttributeEncoder {
        AttributeEncoder(sink: sink, codingPath: codingPath + [key])
    }

    // What is absent has no attribute.
    mutating func encodeNil(forKey key: Key) throws {}

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try encoder(key).encode(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    // A class's own fields and those of its superclass lie side by side.
    mutating func superEncoder() -> any Encoder {
        AttributeEncoder(sink: sink, codingPath: codingPath)
    }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// A value that stands for its only one, as an enum for its raw value.
private struct ValueEncoder: SingleValueEncodingContainer {
    let sink: AttributeSink
    let codingPath: [any CodingKey]

    mutating func encodeNil() throws {}

    mutating func encode<T: Encodable>(_ value: T) throws {
        try AttributeEncoder(sink: sink, codingPath: codingPath).encode(value)
    }
}

/// The elements of a list: the values of one attribute.
private struct ElementEncoder: UnkeyedEncodingContainer {
    let sink: AttributeSink
    let codingPath: [any CodingKey]
    private(set) var count = 0

    init(sink: AttributeSink, codingPath: [any CodingKey]) {
        self.sink = sink
        self.codingPath = codingPath
    }

    mutating func encodeNil() throws {
        throw CodingRefusal(codingPath, "element \(count) is absent; a list has values only")
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        let element = AttributeSink()
        try AttributeEncoder(sink: element, codingPath: []).encode(value)
        let found = element.attributes()
        guard found.count == 1, let only = found.first, only.key == "" else {
            throw CodingRefusal(
                codingPath,
                "element \(count) is no single text, number or date; a list of an "
                    + "attribute has values only")
        }
        try sink.append(only.value, at: codingPath)
        count += 1
    }

    // What an element has inside lies beside the others: under the list's name and its own, or in
    // the same list.
    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        AttributeEncoder(sink: sink, codingPath: codingPath).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

    mutating func superEncoder() -> any Encoder {
        AttributeEncoder(sink: sink, codingPath: codingPath)
    }
}

extension AttributeValue {
    /// A list taken apart; one value is a list of itself.
    static func elements(_ value: AttributeValue?) -> [AttributeValue] {
        switch value {
        case .strings(let texts): texts.map { .string($0) }
        case .numbers(let numbers): numbers.map { .number($0) }
        case .dates(let dates): dates.map { .date($0) }
        case .byteStrings(let strings): strings.map { .bytes($0) }
        case let value?: [value]
        case nil: []
        }
    }
}
