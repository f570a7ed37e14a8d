package import FresnelModel

/// Names beside the query strings of a search that no document can have.
///
/// A wrong name is no error: everything simply is without it. But nobody means one, so it is a
/// warning, and a strict search is refused for it.
package struct UnknownNames: Sendable {
    private let schema: AttributeSchema

    /// Knows the built-in attributes and those that a schema declares.
    package init(in schema: AttributeSchema) { self.schema = schema }

    /// What is odd about names to sort by, to return and to count by; each name is told once a use.
    package func warnings(
        sort: [String], attributes: [String], facets: [String]
    ) -> [QueryWarning] {
        let uses = [
            (sort, "sort attribute", "it counts as absent everywhere"),
            (attributes, "attribute to return", "no hit has it"),
            (facets, "facet attribute", "no hit has it"),
        ]
        return uses.flatMap { names, what, consequence in
            var told: Set<ExactText> = []
            return names.filter { !isKnown($0) && told.insert(ExactText($0)).inserted }.map {
                warning(what, $0, consequence)
            }
        }
    }

    private func isKnown(_ name: String) -> Bool {
        DocumentField.isField(name, in: schema) || schema.definition(named: name) != nil
    }

    private func warning(_ what: String, _ name: String, _ consequence: String) -> QueryWarning {
        let names =
            AttributeTable.all.flatMap { [$0.name] + $0.aliases }
            + schema.sortedCustomKeys.map(\.name) + DocumentField.names
        let meant = DocumentField.meant(by: name) ?? NearestName.find(name, among: names)
        let near = meant.map { "; did you mean \($0)" } ?? ""
        return QueryWarning(
            offset: nil, message: "unknown \(what) '\(name)': \(consequence)\(near)")
    }
}
