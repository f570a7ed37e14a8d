/// Why a custom attribute key cannot be declared.
public enum SchemaError: Error, Hashable, Sendable {
    /// The name breaks a rule.
    case invalidName(String, CustomAttributeKey.NameRule)
    /// The key exists with another type or other flags.
    case conflict(declared: CustomAttributeKey, redeclared: CustomAttributeKey)
    /// The index has as many keys as it may have.
    case tooManyKeys(limit: Int)
}

extension SchemaError: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        switch self {
        case .invalidName(let name, let rule):
            "custom attribute key \"\(name)\" is not a valid name: \(rule)"
        case .conflict(let declared, let redeclared):
            """
            custom attribute key is already declared as (\(declared)) and cannot become \
            (\(redeclared)); keep the first declaration or choose another name
            """
        case .tooManyKeys(let limit):
            "the index would have more than \(limit) custom attribute keys, the most it may have"
        }
    }
}

extension CustomAttributeKey.NameRule: CustomStringConvertible {
    /// The rule as the end of a sentence.
    public var description: String {
        switch self {
        case .isNotEmpty: "it is empty"
        case .isShortEnough: "it is longer than \(Limits.attributeNameBytes) bytes"
        case .hasOnlyLettersDigitsUnderscores:
            "only ASCII letters, digits and _ may stand in it, and . between them"
        case .startsWithoutDigit: "it starts with a digit; start it with a letter or _"
        case .isNotReserved: "names starting with kMD are reserved"
        case .isNotKnown: "an attribute with this name exists; use that or choose another name"
        }
    }
}
