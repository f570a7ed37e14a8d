import FoundationEssentials

/// The attributes that a value is read from, and the document that has them.
struct AttributeSource {
    let attributes: AttributeMap<AttributeValue>
    let identifier: String

    /// Properties of these names are the document's identifier, unless attributes are called so.
    static let identifierNames = ["uniqueIdentifier", "id"]

    /// Whether a way leads to a property of such a name.
    static func isIdentifier(_ path: [any CodingKey]) -> Bool {
        path.count == 1 && identifierNames.contains(path[0].stringValue)
    }

    /// The value under a name; the identifier where that is meant.
    func value(_ name: String) -> AttributeValue? {
        if let value = attributes[name] { return value }
        return Self.identifierNames.contains(name) ? .string(identifier) : nil
    }

    /// Whether there is anything under a name, or below it.
    func has(_ name: String) -> Bool {
        value(name) != nil
            || attributes.keys.contains { $0.hasPrefix(name + AttributeSink.separator) }
    }
}

/// Reads one value, or the fields of one, from the names that lead to it.
struct AttributeDecoder: Decoder {
    let source: AttributeSource
    let codingPath: [any CodingKey]
    /// An element of a list; nil where the names say what is meant.
    var element: AttributeValue?
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var value: AttributeValue? { element ?? source.value(AttributeSink.name(codingPath)) }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard element == nil else {
            throw CodingRefusal(codingPath, "an element of a list has no fields")
        }
        return KeyedDecodingContainer(FieldDecoder(source: source, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard element == nil else {
            throw CodingRefusal(codingPath, "an element of a list is no list")
        }
        // A list without elements has no attribute.
        return ElementDecoder(
            source: source, codingPath: codingPath, elements: AttributeValue.elements(value))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ValueDecoder(decoder: self)
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard let scalar = try scalar(type) else { return try T(from: self) }
        return scalar
    }

    /// A value that is one attribute; nil for a type that consists of others.
    private func scalar<T>(_ type: T.Type) throws -> T? {
        let isText = type == String.self || type == URL.self
        let integer = type as? any FixedWidthInteger.Type
        let isNumber =
            integer != nil || type == Bool.self || type == Double.self || type == Float.self
            || type == Decimal.self
        guard isText || isNumber || type == Date.self || type == Data.self else { return nil }
        guard let value else {
            throw CodingRefusal(
                codingPath,
                "it is absent; ask for it (`attributes`, `returnsAllAttributes`), or "
                    + "make it an optional")
        }
        let read: Any? =
            switch value {
            case .string(let text): Self.read(text, as: type, integer)
            case .localized(let text) where isText: Self.read(text.defaultText, as: type, integer)
            case .number(let number): Self.read(number, as: type, integer)
            case .boolean(let truth): Self.read(truth ? 1 : 0, as: type, integer)
            case .date(let date) where type == Date.self:
                Date(timeIntervalSinceReferenceDate: date.seconds)
            case .bytes(let bytes) where type == Data.self: Data(bytes)
            default: nil
            }
        guard let result = read as? T else {
            throw CodingRefusal(codingPath, "\(Self.shown(value)) is no \(type)")
        }
        return result
    }

    /// A value in a message.
    private static func shown(_ value: AttributeValue) -> String {
        switch value {
        case .number(let number): "\(number)"
        case .boolean(let truth): "\(truth)"
        case .string(let text) where text.utf8.count <= 40: text.debugDescription
        case .string, .strings, .numbers, .date, .dates, .bytes, .byteStrings, .persons,
            .localized, .dictionary:
            "a value of type \(value.type)"
        }
    }

    /// A text as it is, as a URL, or as the whole number that it spells, as an identifier may.
    private static func read(
        _ text: String, as type: Any.Type, _ integer: (any FixedWidthInteger.Type)?
    ) -> Any? {
        if type == String.self { return text }
        if type == URL.self { return URL(string: text) }
        return integer.flatMap { whole(text, $0) }
    }

    private static func whole<T: FixedWidthInteger>(_ text: String, _ type: T.Type) -> Any? {
        T(text)
    }

    private static func read(
        _ number: Double, as type: Any.Type, _ integer: (any FixedWidthInteger.Type)?
    ) -> Any? {
        if type == Double.self { return number }
        if type == Float.self { return Float(number) }
        if type == Decimal.self { return Decimal(string: "\(number)") }
        if type == Bool.self { return number == 0 ? false : number == 1 ? true : nil }
        return integer.flatMap { whole(number, $0) }
    }

    private static func whole<T: FixedWidthInteger>(_ number: Double, _ type: T.Type) -> Any? {
        T(exactly: number)
    }
}

/// The fields of a value.
private struct FieldDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: AttributeSource
    let codingPath: [any CodingKey]

    /// The fields of a dictionary: the first part of each name below.
    var allKeys: [Key] {
        let prefix =
            codingPath.isEmpty
            ? "" : AttributeSink.name(codingPath) + AttributeSink.separator
        let parts = source.attributes.keys.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) }
        return Set(parts).sorted().compactMap { Key(stringValue: $0) }
    }

    private func decoder(_ key: any CodingKey) -> AttributeDecoder {
        AttributeDecoder(source: source, codingPath: codingPath + [key])
    }

    func contains(_ key: Key) -> Bool {
        source.has(AttributeSink.name(codingPath + [key]))
    }

    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        AttributeDecoder(source: source, codingPath: codingPath)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }
}

/// A value that stands for its only one.
private struct ValueDecoder: SingleValueDecodingContainer {
    let decoder: AttributeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.element == nil && !decoder.source.has(AttributeSink.name(codingPath))
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}

/// The elements of a list.
private struct ElementDecoder: UnkeyedDecodingContainer {
    let source: AttributeSource
    let codingPath: [any CodingKey]
    let elements: [AttributeValue]
    var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try next().decode(type)
        currentIndex += 1
        return value
    }

    private func next() throws -> AttributeDecoder {
        guard !isAtEnd else { throw CodingRefusal(codingPath, "it has no more elements") }
        return AttributeDecoder(
            source: source, codingPath: codingPath, element: elements[currentIndex])
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }
}
