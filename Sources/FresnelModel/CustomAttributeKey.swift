/// An attribute the owner of an index declares, as `CSCustomAttributeKey`.
///
/// The flags shape the index, so a key keeps them for the life of the index.
public struct CustomAttributeKey: Hashable, Sendable {
    /// The name: ASCII letters, digits and `_`, with `.` between them for what was nested;
    /// recommended `com_company_application_key`.
    public let name: String
    /// The type of one value; `isMultiValued` says whether there may be several.
    public let valueType: AttributeType
    /// Whether a query may name the key.
    public let isSearchable: Bool
    /// Whether `*` and `**` cover the key; has effect only on texts.
    public let isSearchableByDefault: Bool
    /// Whether values come from a small, often repeating set; not a constraint.
    public let isUnique: Bool
    /// Whether a document may have several values.
    public let isMultiValued: Bool

    /// Makes a key.
    ///
    /// - Throws: `SchemaError.invalidName` with the rule the name breaks.
    public init(
        _ name: String, _ valueType: AttributeType, isSearchable: Bool = true,
        isSearchableByDefault: Bool = false, isUnique: Bool = false, isMultiValued: Bool? = nil
    ) throws(SchemaError) {
        if let rule = Self.brokenRule(of: name) { throw .invalidName(name, rule) }
        self.name = name
        self.valueType = valueType.element
        self.isSearchable = isSearchable
        self.isSearchableByDefault = isSearchableByDefault
        self.isUnique = isUnique
        self.isMultiValued = (isMultiValued ?? false) || valueType.isMultiValued
    }

    /// The same key with another type of one value.
    private init(_ key: CustomAttributeKey, of valueType: AttributeType) {
        name = key.name
        self.valueType = valueType
        isSearchable = key.isSearchable
        isSearchableByDefault = key.isSearchableByDefault
        isUnique = key.isUnique
        isMultiValued = key.isMultiValued
    }
}

extension CustomAttributeKey {
    /// A rule that the name of a custom key must keep.
    public enum NameRule: Hashable, Sendable, CaseIterable {
        /// A name has at least one character.
        case isNotEmpty
        /// A name has at most `Limits.attributeNameBytes` characters.
        case isShortEnough
        /// A name has only ASCII letters, digits and `_`, and `.` between two of them.
        case hasOnlyLettersDigitsUnderscores
        /// A name starts with a letter or `_`.
        case startsWithoutDigit
        /// Names starting with `kMD` are reserved.
        case isNotReserved
        /// The name is not that of an attribute every index knows.
        case isNotKnown
    }

    /// The first rule that `name` breaks, or nil when it is a good name.
    public static func brokenRule(of name: String) -> NameRule? {
        let bytes = name.utf8
        guard let first = bytes.first else { return .isNotEmpty }
        guard bytes.count <= Limits.attributeNameBytes else { return .isShortEnough }
        guard hasOnlyGoodParts(bytes) else { return .hasOnlyLettersDigitsUnderscores }
        guard !isDigit(first) else { return .startsWithoutDigit }
        guard !name.hasPrefix("kMD") else { return .isNotReserved }
        guard AttributeTable.definition(named: name) == nil else { return .isNotKnown }
        return nil
    }

    /// Whether there are letters, digits and `_`, and no period but between two of them.
    private static func hasOnlyGoodParts(_ bytes: String.UTF8View) -> Bool {
        var last = UInt8(ascii: ".")
        for byte in bytes {
            guard
                isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: ".") && last != byte
            else { return false }
            last = byte
        }
        return last != UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}

extension CustomAttributeKey {
    /// Whether documents that were checked with one key are valid under the other: both are the
    /// same, or differ only in how their numbers are shown.
    package func takesTheSame(as other: CustomAttributeKey) -> Bool {
        guard valueType == .boolean || other.valueType == .boolean else { return self == other }
        return asNumbers == other.asNumbers
    }

    private var asNumbers: CustomAttributeKey {
        guard valueType == .boolean else { return self }
        return CustomAttributeKey(self, of: .number)
    }
}

extension CustomAttributeKey: CustomStringConvertible {
    /// The key with its type and flags, for error messages.
    public var description: String {
        let type = isMultiValued ? valueType.multiValued : valueType
        var flags = [isSearchable ? "searchable" : "not searchable"]
        if isSearchableByDefault { flags.append("searchable by default") }
        if isUnique { flags.append("unique") }
        return "\(name): \(type), \(flags.joined(separator: ", "))"
    }
}
