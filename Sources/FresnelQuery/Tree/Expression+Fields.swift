package import FresnelModel

extension Expression {
    /// Whether it speaks of a field, in an index with this schema.
    package func asks(_ field: DocumentField.Derived, in schema: AttributeSchema) -> Bool {
        switch self {
        case .constant: return false
        case .and(let parts), .or(let parts):
            return parts.contains { $0.asks(field, in: schema) }
        case .not(let part): return part.asks(field, in: schema)
        case .comparison(let comparison):
            guard case .named(let name) = comparison.attribute else { return false }
            return DocumentField.Derived(name, in: schema) == field
        }
    }
}
