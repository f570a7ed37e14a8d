/// The attribute of a predicate and where it stands.
struct LeftSide {
    let meaning: AttributeMeaning
    let offset: Int
    /// Whether the operator behind it is `!=`.
    var isNegated = false

    func comparison(_ relation: Relation) -> Expression {
        .comparison(Comparison(attribute: meaning.reference, relation: relation, offset: offset))
    }

    /// What a comparison that no value can satisfy amounts to, as written, for a warning.
    var outcomeOfNever: String {
        isNegated ? "every document satisfies this !=" : "no document satisfies this"
    }
}
