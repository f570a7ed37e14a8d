import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelText
import FresnelWire

// Deciding a document by its own text: by the values in the columns, each decided once whatever the
// number of documents that have it, and for text content by the stored document.

extension SegmentMatcher {
    /// The documents of a set in which some attribute's text matches.
    mutating func verified(
        _ candidates: DocumentSet, _ plan: PatternPlan, _ pattern: MatchMemory.Pattern,
        _ attributes: [AttributeOrdinal]
    ) throws(SearchStop) -> DocumentSet {
        var found: [DocumentNumber] = []
        var untilCheck = 256
        for document in candidates.documents {
            untilCheck -= 1
            if untilCheck == 0 {
                try control.check()
                untilCheck = 256
            }
            for attribute in attributes
            where holds(plan, pattern, in: attribute, of: document) {
                found.append(document)
                break
            }
        }
        return DocumentSet(.list(found), of: documentCount)
    }

    /// Whether a pattern matches a text of an attribute of a document.
    mutating func holds(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, in attribute: AttributeOrdinal,
        of document: DocumentNumber
    ) -> Bool {
        let known = segment.attributes[Int(attribute)]
        guard let strings = known.column else {
            if let texts = known.storedTexts {
                return texts.texts(of: document).contains { plan.holds(in: $0) }
            }
            guard known.parts.contains(.text), known.presence.contains(document) else {
                return false
            }
            return storedTexts(of: known.name, in: document).contains { plan.holds(in: $0) }
        }
        let column = MatchMemory.Column(pattern: pattern, attribute: attribute)
        var verdicts =
            memory.takeVerdicts(of: column)
            ?? [MatchMemory.Verdict](repeating: .unknown, count: strings.values.count)
        defer { memory.values[column, default: MatchMemory.Values()].verdicts = verdicts }
        let ranks = strings.ranks(of: document)
        for place in ranks.indices {
            let rank = ranks[place]
            guard Int(rank) < verdicts.count else { continue }
            if verdicts[Int(rank)] == .unknown {
                let holds = plan.glob.matches(utf8: strings.values.original(of: rank))
                verdicts[Int(rank)] = holds ? .holds : .fails
            }
            if verdicts[Int(rank)] == .holds { return true }
        }
        return false
    }

    /// The texts of an attribute as the stored document has them.
    ///
    /// A stored document that cannot be read has none: documents are checked when they are stored,
    /// segments when they are opened.
    private func storedTexts(of name: String, in document: DocumentNumber) -> [String] {
        let bytes = segment.stored.encoded(document)
        // Reading fails only where the segment was damaged after it was opened.
        guard let stored = try? DocumentView(bytes), let value = try? stored.value(of: name)
        else { return [] }
        return SearchableText.strings(of: value, attribute: name)
    }
}
