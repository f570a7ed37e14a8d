/// The attributes of one index: those every index knows and the keys its owner declared.
public struct AttributeSchema: Hashable, Sendable {
    /// The declared keys by name.
    public private(set) var customKeys: [String: CustomAttributeKey] = [:]

    /// Makes a schema without custom keys.
    public init() {}

    /// Makes a schema with these custom keys.
    ///
    /// - Throws: `SchemaError` when two of them disagree or they are too many.
    public init(declaring keys: some Sequence<CustomAttributeKey>) throws(SchemaError) {
        for key in keys { try declare(key) }
    }

    /// The definition of an attribute by its name or an alias; nil when unknown.
    public func definition(named name: String) -> AttributeDefinition? {
        if let known = AttributeTable.definition(named: name) { return known }
        return customKeys[name].map { AttributeDefinition($0) }
    }

    /// Adds a key; declaring the same key again changes nothing.
    ///
    /// - Throws: `SchemaError.conflict` when the key exists with another type or other flags.
    public mutating func declare(_ key: CustomAttributeKey) throws(SchemaError) {
        if let declared = customKeys[key.name] {
            guard declared == key else {
                throw .conflict(declared: declared, redeclared: key)
            }
            return
        }
        guard customKeys.count < Limits.customAttributeKeys else {
            throw .tooManyKeys(limit: Limits.customAttributeKeys)
        }
        customKeys[key.name] = key
    }

    /// This schema with the keys of another.
    ///
    /// - Throws: `SchemaError.conflict` when the two disagree about a key.
    public func merging(_ other: AttributeSchema) throws(SchemaError) -> AttributeSchema {
        var merged = self
        for key in other.sortedCustomKeys { try merged.declare(key) }
        return merged
    }

    /// The declared keys in order of name.
    public var sortedCustomKeys: [CustomAttributeKey] {
        customKeys.values.sorted { $0.name < $1.name }
    }

    /// The definitions `*` covers: those of the table, then custom keys in order of name.
    public var searchableByDefault: [AttributeDefinition] {
        AttributeTable.searchableByDefault
            + sortedCustomKeys.map { AttributeDefinition($0) }.filter(\.isSearchableByDefault)
    }

    /// The definitions `**` covers: those of `*`, then the text content.
    public var searchableAndContent: [AttributeDefinition] {
        searchableByDefault + AttributeTable.textContent
    }
}
