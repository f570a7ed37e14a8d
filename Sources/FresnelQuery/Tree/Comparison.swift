/// One predicate: an attribute and what its value must satisfy.
package struct Comparison: Hashable, Sendable {
    /// The left side.
    package var attribute: AttributeReference
    /// The right side with its operator.
    package var relation: Relation
    /// UTF-8 offset of the attribute in the query string, for warnings; not part of equality.
    package var offset: Int

    package init(attribute: AttributeReference, relation: Relation, offset: Int = 0) {
        self.attribute = attribute
        self.relation = relation
        self.offset = offset
    }

    package static func == (lhs: Comparison, rhs: Comparison) -> Bool {
        lhs.attribute == rhs.attribute && lhs.relation == rhs.relation
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(attribute)
        hasher.combine(relation)
    }
}
