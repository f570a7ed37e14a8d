import FresnelKernels
import FresnelModel
import FresnelQuery

// Match: which documents of one segment satisfy a query, exactly as `ReferenceMatcher` says.
//
// Every predicate is evaluated inside a set of documents that are still in question; its answer is
// exact for those. A conjunction starts with the cheapest part and narrows that set, so expensive
// parts, most of all those that read stored texts, look at few documents. What was decided about
// terms and values is kept, since scoring asks for it again.

/// Evaluates one plan over one segment.
package struct SegmentMatcher: Sendable {
    let view: SegmentView
    let comparisons: [ComparisonPlan]
    var control: SearchControl
    /// What each comparison covers.
    let covered: SegmentCoverage
    var memory = MatchMemory()
    /// What comparisons were counted to match among all documents that are visible.
    var counted: [Int: DocumentSet] = [:]
    /// Whether phrases are answered by all documents that may have them, unread.
    var takesCandidates = false
    /// The documents that all further questions are about, asked run by run, and what was gathered
    /// of them; nil when unknown.
    var gathered: GatheredDocuments?

    /// Prepares to evaluate the comparisons of a plan.
    package init(_ comparisons: [ComparisonPlan], in view: SegmentView, control: SearchControl) {
        self.view = view
        self.comparisons = comparisons
        self.control = control
        covered = SegmentCoverage(comparisons, in: view)
    }

    var segment: Segment { view.segment }
    var documentCount: Int { view.segment.documentCount }

    /// The documents of `candidates` that satisfy an expression.
    package mutating func matches(
        _ expression: PlannedExpression, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        guard !candidates.isEmpty else { return .none(of: documentCount) }
        switch expression {
        case .constant(let value): return value ? candidates : .none(of: documentCount)
        case .not(let part):
            var rest = candidates
            rest.subtract(try matches(part, in: candidates))
            return rest
        case .and(let parts): return try conjunction(parts, in: candidates)
        case .or(let parts):
            var found = DocumentSet.none(of: documentCount)
            for part in parts { found.formUnion(try matches(part, in: candidates)) }
            return found
        case .comparison(let number): return try matches(comparison: number, in: candidates)
        }
    }

    /// The documents of `candidates` that satisfy one comparison.
    package mutating func matches(
        comparison number: Int, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        try control.check()
        guard !candidates.isEmpty else { return .none(of: documentCount) }
        if var found = counted[number] {
            found.formIntersection(candidates)
            return found
        }
        var found: DocumentSet
        switch comparisons[number].test {
        case .exists: found = try existing(covered[number])
        case .numeric(let interval, let domain):
            // Those are some of the candidates already.
            if case .named = comparisons[number].attribute, case .list(let list) = candidates.form,
                covered[number].all.count == 1,
                let some = try numbers(
                    of: covered[number].all[0], in: interval, domain, among: list)
            {
                return some
            }
            found = try documents(
                in: interval, domain, of: comparisons[number], covered[number])
        case .text(let text): found = try matches(text, of: number, in: candidates)
        case .field(let test): found = matches(test)
        }
        found.formIntersection(candidates)
        return found
    }

    private mutating func conjunction(
        _ parts: [PlannedExpression], in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        if parts.count == 1 { return try matches(parts[0], in: candidates) }
        // Costs are looked up in the dictionary: once each.
        let order = parts.indices.map { (cost: cost(of: parts[$0]), place: $0) }.sorted { $0 < $1 }
        var found = candidates
        for (_, place) in order {
            found = try matches(parts[place], in: found)
            if found.isEmpty { break }
        }
        return found
    }

    private func existing(_ covered: CoveredAttributes) throws(SearchStop) -> DocumentSet {
        var found = DocumentSet.none(of: documentCount)
        for attribute in covered.all {
            try control.check()
            let presence = segment.attributes[Int(attribute)].presence
            guard presence.count < documentCount else { return .all(of: documentCount) }
            var bits = DocumentSet.none(of: documentCount).bitset
            try presence.insert(into: &bits, control: control)
            found.formUnion(DocumentSet(.bits(bits), of: documentCount))
        }
        return found
    }

    /// The listed documents whose number lies in an interval, where reading their rows costs less
    /// than gathering all documents of the interval; nil where it does not.
    private func numbers(
        of ordinal: AttributeOrdinal, in interval: NumericInterval, _ domain: NumericDomain,
        among list: [DocumentNumber]
    ) throws(SearchStop) -> DocumentSet? {
        let attribute = segment.attributes[Int(ordinal)]
        let numbers = domain == .numbersAndDates ? attribute.numbers : nil
        guard (numbers == nil) != (attribute.dates == nil),
            let column = numbers ?? attribute.dates, !column.isMultiValued,
            list.count / 2 < column.entries(in: interval).count
        else { return nil }
        try control.check()
        return DocumentSet(.list(column.documents(list, in: interval)), of: documentCount)
    }

    /// Numbers are compared only where the attribute is named; wildcards cover texts.
    private func documents(
        in interval: NumericInterval, _ domain: NumericDomain, of plan: ComparisonPlan,
        _ covered: CoveredAttributes
    ) throws(SearchStop) -> DocumentSet {
        guard case .named = plan.attribute else { return .none(of: documentCount) }
        var collector = DocumentCollector(of: documentCount)
        var pace = CheckPace(control)
        for attribute in covered.all {
            let attribute = segment.attributes[Int(attribute)]
            if domain == .numbersAndDates, let numbers = attribute.numbers {
                try collector.insert(numbers, interval, &pace)
            }
            if let dates = attribute.dates {
                try collector.insert(dates, interval, &pace)
            }
        }
        return collector.documents()
    }
}
