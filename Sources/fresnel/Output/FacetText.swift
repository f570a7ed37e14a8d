import FresnelModel

/// Facets for people: a small table for each.
enum FacetText {
    /// The lines of all facets, an empty one before each.
    static func lines(_ completion: Completion, style: Style = .standard) -> [String] {
        let scope = completion.isComplete ? "" : ", in what was searched"
        return completion.facets.flatMap { [""] + lines(of: $0, scope, style) }
    }

    private static func lines(
        of facet: FacetCounts, _ scope: String, _ style: Style
    ) -> [String] {
        var table = Table(
            [Table.Column(title: "hits", isNumber: true), Table.Column(title: facet.attribute)],
            style: style)
        let lines = table.lines(
            facet.entries.map { [String($0.count), ValueText.text($0.value)] })
        return lines + [style.dim(summary(of: facet) + scope)]
    }

    private static func summary(of facet: FacetCounts) -> String {
        let values = facet.distinct.map { ValueText.count($0, "value") } ?? "more values"
        let missing = facet.missing == 0 ? "" : ", \(ValueText.count(facet.missing, "hit")) without"
        let doubt =
            facet.isExact
            ? "" : ", not exact: each number may be up to \(facet.bound) higher"
        return values + missing + doubt
    }
}
