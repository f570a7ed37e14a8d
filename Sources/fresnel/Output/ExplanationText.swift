import FresnelModel

/// An explained score in plain words.
enum ExplanationText {
    /// The lines for one hit.
    static func lines(_ hit: Hit, _ explanation: ScoreExplanation, style: Style) -> [String] {
        let head = style.bold("\(hit.uniqueIdentifier): score \(explanation.total)")
        let terms = explanation.terms.flatMap { lines($0, explanation, style) }
        return [head, "the sum of what each scoring part of the query adds:"] + terms
    }

    private static func lines(
        _ term: ScoreExplanation.Term, _ explanation: ScoreExplanation, _ style: Style
    ) -> [String] {
        let counts = "\(term.matching) of \(ValueText.count(term.documents, "document"))"
        var lines = [
            "", style.bold("\(term.query) adds \(term.contribution)"),
            "  rarity \(term.rarity): \(counts) match it, and the fewer do, the more it tells",
        ]
        guard !term.attributes.isEmpty else {
            return lines + [
                term.weighted > 0
                    ? "  weighted occurrences \(term.weighted); the attributes are too many to show"
                    : "  it does not occur in this document"
            ]
        }
        lines += term.attributes.map { line($0, explanation) }
        let saturation = ValueText.text(explanation.saturation)
        return lines + [
            "  together \(term.weighted); further occurrences count less and less: "
                + "\(term.weighted) / (\(saturation) + \(term.weighted)), times the rarity"
        ]
    }

    private static func line(
        _ attribute: ScoreExplanation.Attribute, _ explanation: ScoreExplanation
    ) -> String {
        let times = ValueText.count(attribute.occurrences, "time")
        let words = ValueText.count(attribute.length, "word")
        let share = explanation.lengthShare
        let relative = attribute.length == 0 ? 0 : Double(attribute.length)
        let norm = 1 - share + share * relative / attribute.referenceLength
        return "  \(attribute.name): \(times) in \(words), weight "
            + "\(ValueText.text(attribute.weight)), divided by \(norm) for its length "
            + "(1 at \(ValueText.text(attribute.referenceLength)) words): \(attribute.weighted)"
    }
}
