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
    let control: SearchControl
    /// What each comparison covers.
    let covered: [CoveredAttributes]
    var memory: MatchMemory
    /// What comparisons were counted to match among all documents that are visible.
    var counted: [Int: DocumentSet] = [:]
    /// The documents that all further questions are about, asked run by run; nil when unknown.
    var whole: DocumentSet?
    /// Whether phrases are answered by all documents that may have them, unread.
    var takesCandidates = false
    /// What phrases and values were found to have in `whole`.
    var gathered = GatheredDocuments()

    /// Prepares to evaluate the comparisons of a plan.
    package init(_ comparisons: [ComparisonPlan], in view: SegmentView, control: SearchControl) {
        self.view = view
        self.comparisons = comparisons
        self.control = control
        covered = comparisons.map { CoveredAttributes($0, in: view) }
        memory = MatchMemory(comparisonCount: comparisons.count)
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
            found = try documents(in: interval, domain, of: comparisons[number], covered[number])
        case .text(let text): found = try matches(text, of: number, in: candidates)
        }
        found.formIntersection(candidates)
        return found
    }

    private mutating func conjunction(
        _ parts: [PlannedExpression], in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        let order = parts.indices.sorted { left, right in
            (cost(of: parts[left]), left) < (cost(of: parts[right]), right)
        }
        var found = candidates
        for place in order {
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
                try collector.insert(
                    numbers.documents(of: numbers.entries(in: interval)), &pace)
            }
            if let dates = attribute.dates {
                try collector.insert(dates.documents(of: dates.entries(in: interval)), &pace)
            }
        }
        return collector.documents()
    }
}
