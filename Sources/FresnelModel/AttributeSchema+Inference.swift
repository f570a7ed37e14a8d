extension AttributeSchema {
    /// Declares the custom keys a document uses without a declaration, by the types of its values.
    ///
    /// - Returns: the keys that are new, in order of name.
    /// - Throws: `SchemaError` when a name is not valid or the keys are too many.
    public mutating func declareMissing(
        for document: Document
    ) throws(SchemaError) -> [CustomAttributeKey] {
        var missing: [CustomAttributeKey] = []
        for (name, value) in document.attributes where definition(named: name) == nil {
            missing.append(try CustomAttributeKey(name, value.type))
        }
        missing.sort { $0.name < $1.name }
        for key in missing { try declare(key) }
        return missing
    }
}
