import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelText

// How a pattern finds its documents. Not word based: the values of each attribute are decided, and
// have their documents. Word based with one token: the terms are decided, and have their documents.
// Word based with several: documents with all tokens are decided by their texts.

extension SegmentMatcher {
    /// The documents that satisfy a pattern; exact for `candidates`.
    mutating func matches(
        _ text: ComparisonPlan.TextTest, of number: Int, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        let covered = covered[number]
        var found = DocumentSet.none(of: documentCount)
        let ordinary = MatchMemory.Pattern(comparison: number, reading: .ordinary)
        if text.ordinary.isWordBased {
            found = try words(text.ordinary, ordinary, covered.all, candidates)
        } else {
            found =
                text.ordinary.isDecidedByValues
                ? try values(text.ordinary, ordinary, covered.ordinary)
                : try words(text.ordinary, ordinary, covered.ordinary, candidates)
            if !covered.content.isEmpty {
                let content = MatchMemory.Pattern(comparison: number, reading: .content)
                found.formUnion(try words(text.content, content, covered.content, candidates))
            }
        }
        if let number = text.number { found.formUnion(try documents(withNumber: number, covered)) }
        return found
    }

    /// The values of an attribute that a pattern on whole values matches.
    mutating func ranks(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attribute: AttributeOrdinal
    ) throws(SearchStop) -> [ValueRank] {
        let column = MatchMemory.Column(pattern: pattern, attribute: attribute)
        if let ranks = memory.values[column]?.ranks { return ranks }
        guard let strings = segment.attributes[Int(attribute)].column,
            case .values(let narrowing) = plan.shape
        else { return [] }
        let ranks = try TextCandidates.ranks(
            of: plan, narrowing: narrowing, in: strings.values, control: control)
        memory.values[column, default: MatchMemory.Values()].ranks = ranks
        return ranks
    }

    /// The terms of a pattern that one token decides.
    mutating func terms(
        of token: TokenPlan, _ pattern: MatchMemory.Pattern
    ) throws(SearchStop) -> [TermID] {
        if let known = memory.termsOfToken(pattern) { return known }
        let found = try TextCandidates.terms(of: token, in: segment.terms, control: control)
        memory.keep(found, ofToken: pattern)
        return found
    }

    /// The terms of each token of a word-based pattern.
    mutating func terms(
        _ tokens: [TokenPlan], _ pattern: MatchMemory.Pattern
    ) throws(SearchStop) -> [[TermID]] {
        if let terms = memory.termsOfPhrase(pattern) { return terms }
        var terms: [[TermID]] = []
        for token in tokens {
            let found = try TextCandidates.terms(of: token, in: segment.terms, control: control)
            terms.append(found)
            if found.isEmpty { break }
        }
        memory.keep(terms, ofPhrase: pattern)
        return terms
    }

    /// The documents that have one of the terms in one of the attributes.
    func documents(
        withAnyOf terms: [TermID], in filter: AttributeFilter
    ) throws(SearchStop) -> DocumentSet {
        var collector = DocumentCollector(of: documentCount)
        var pace = CheckPace(control)
        for lists in segment.lists(for: filter) {
            for term in terms {
                try pace.step(16)
                try collector.insert(term, of: lists, in: filter, &pace)
            }
        }
        return collector.documents()
    }

    /// The candidates that have one of the terms; few are looked up, many are met with the lists.
    func documents(
        withAnyOf terms: [TermID], in filter: AttributeFilter, among candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        guard terms.count == 1, let term = terms.first, case .list(let list) = candidates.form
        else { return try documents(withAnyOf: terms, in: filter) }
        let lists = segment.lists(for: filter)
        guard lists.count == 1, let postings = lists.first,
            list.count < postings.documentCount(of: term) / 8,
            filter.covers(postings.attributeMask(of: term))
        else { return try documents(withAnyOf: terms, in: filter) }
        var found: [DocumentNumber] = []
        var cursor = postings.cursor(for: term)
        var pace = CheckPace(control)
        for document in list {
            try pace.step(16)
            cursor.seek(to: document)
            if cursor.documentNumber == document { found.append(document) }
        }
        return DocumentSet(.list(found), of: documentCount)
    }

    private mutating func values(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal]
    ) throws(SearchStop) -> DocumentSet {
        var collector = DocumentCollector(of: documentCount)
        var pace = CheckPace(control)
        var found = DocumentSet.none(of: documentCount)
        for attribute in attributes {
            if segment.attributes[Int(attribute)].storedTexts != nil {
                found.formUnion(try storedMatches(plan, pattern, attribute))
                continue
            }
            let ranks = try ranks(plan, pattern, attribute)
            guard let strings = segment.attributes[Int(attribute)].column else { continue }
            for rank in ranks {
                try pace.step()
                try collector.insert(strings.documents(of: rank), &pace)
            }
            try control.check()
        }
        guard !found.isEmpty else { return collector.documents() }
        found.formUnion(collector.documents())
        return found
    }

    private mutating func words(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal],
        _ candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        let filter = covered[pattern.comparison].filter(
            for: attributes, of: segment.attributes.count)
        switch plan.shape {
        case .values: return .none(of: documentCount)
        case .token(let token):
            let terms = try terms(of: token, pattern)
            var found = try documents(withAnyOf: terms, in: filter, among: candidates)
            guard plan.hasIrregularTexts, !view.irregular.numbers.isEmpty else { return found }
            var unclear = try irregular(plan, in: candidates)
            unclear.subtract(found)
            guard !unclear.isEmpty else { return found }
            found.formUnion(try verified(unclear, plan, pattern, attributes))
            return found
        case .phrase(let tokens):
            let phrase = Phrase(
                plan: plan, tokens: tokens, pattern: pattern, attributes: attributes)
            return takesCandidates
                ? try self.candidates(of: phrase, in: candidates)
                : try documents(with: phrase, in: candidates)
        }
    }

    private func documents(
        withNumber number: Double, _ covered: CoveredAttributes
    ) throws(SearchStop) -> DocumentSet {
        let interval = NumericInterval(
            lower: number, upper: number, includesLower: true, includesUpper: true)
        var collector = DocumentCollector(of: documentCount)
        var pace = CheckPace(control)
        for attribute in covered.all {
            guard let numbers = segment.attributes[Int(attribute)].numbers else { continue }
            try collector.insert(numbers, interval, &pace)
        }
        return collector.documents()
    }
}
