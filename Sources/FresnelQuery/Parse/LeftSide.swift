/// The attribute of a predicate and where it stands.
struct LeftSide {
    let meaning: AttributeMeaning
    let offset: Int

    func comparison(_ relation: Relation) -> Expression {
        .comparison(Comparison(attribute: meaning.reference, relation: relation, offset: offset))
    }
}
