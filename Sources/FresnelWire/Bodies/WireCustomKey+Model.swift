package import FresnelModel

extension WireCustomKey {
    /// A declared key as it travels; the type's number is the raw value of `AttributeType`.
    package init(_ key: CustomAttributeKey) {
        self.init()
        name = key.name
        valueType = UInt32(key.valueType.rawValue)
        searchable = key.isSearchable
        searchableByDefault = key.isSearchableByDefault
        unique = key.isUnique
        multiValued = key.isMultiValued
    }
}

extension CustomAttributeKey {
    /// Reads a declared key.
    ///
    /// - Throws: `WireError.invalid` for a name or type that no key can have.
    package init(_ key: WireCustomKey) throws(WireError) {
        guard let type = UInt8(exactly: key.valueType).flatMap(AttributeType.init) else {
            throw .invalid(
                .attribute, reason: "value type \(key.valueType) of \(key.name) is unknown")
        }
        do throws(SchemaError) {
            try self.init(
                key.name, type, isSearchable: key.searchable,
                isSearchableByDefault: key.searchableByDefault, isUnique: key.unique,
                isMultiValued: key.multiValued)
        } catch {
            throw .invalid(.attribute, reason: "\(error)")
        }
    }
}
