import FresnelModel
import FresnelQuery
import FresnelText

// Who wants ten hits, whichever, and no count is done with the first ten that turn up. Only plans
// that say so (`SearchPlan.countsAll`) come here, and only queries whose matches are read off term
// by term; all others find everything, which is right as well.

extension SegmentMatcher {
    /// At least `limit` documents that satisfy an expression, or all that do, ascending.
    ///
    /// Nil when the query is not one that can stop early.
    ///
    /// Every document of the segment is visible.
    mutating func anyDocuments(
        of expression: PlannedExpression, atLeast limit: Int
    ) throws(SearchStop) -> DocumentSet? {
        switch expression {
        case .comparison(let number): return try anyDocuments(ofComparison: number, limit)
        case .and(let parts): return try anyDocuments(ofAll: parts, limit)
        case .or, .not, .constant: return nil
        }
    }

    private mutating func anyDocuments(
        ofComparison number: Int, _ limit: Int
    ) throws(SearchStop) -> DocumentSet? {
        guard case .text(let text) = comparisons[number].test, text.number == nil,
            case .token(let token) = text.ordinary.shape,
            text.ordinary.isWordBased || covered[number].content.isEmpty,
            try irregular(text.ordinary, in: .all(of: documentCount)).isEmpty
        else { return nil }
        if let few = try fewDocuments(of: token, covered[number].filter, limit) { return few }
        let pattern = MatchMemory.Pattern(comparison: number, reading: .ordinary)
        var found: [DocumentNumber] = []
        try append(
            documentsWithAnyOf: try terms(of: token, pattern), covered[number].filter,
            until: limit, to: &found)
        return DocumentSet(.list(found), of: documentCount)
    }

    /// The same from the first terms that a table of trigrams names, where these have enough or are
    /// all that there are.
    private func fewDocuments(
        of token: TokenPlan, _ filter: AttributeFilter, _ limit: Int
    ) throws(SearchStop) -> DocumentSet? {
        guard case .containing(let key) = token.narrowing,
            let blocks = segment.terms.firstBlocks(containing: key.span, atMost: Self.firstBlocks)
        else { return nil }
        var found: [DocumentNumber] = []
        for start in stride(from: 0, to: blocks.count, by: Self.blocksAtOnce) {
            let some = blocks[start..<min(blocks.count, start + Self.blocksAtOnce)]
            let terms = try TextCandidates.terms(
                of: token, among: segment.terms.terms(containing: key.span, in: some),
                in: segment.terms, control: control)
            try append(documentsWithAnyOf: terms, filter, until: limit, to: &found)
            if found.count >= limit { break }
        }
        let isAll = blocks.count < Self.firstBlocks
        return found.count >= limit || isAll ? DocumentSet(.list(found), of: documentCount) : nil
    }

    /// Blocks of keys that are looked at before all of them are gathered; mostly the first have
    /// enough.
    private static let firstBlocks = 64
    /// Blocks of keys that are looked at before their terms are.
    private static let blocksAtOnce = 8

    /// Adds documents that have some of the terms, ascending, until there are enough.
    private func append(
        documentsWithAnyOf terms: [TermID], _ filter: AttributeFilter, until limit: Int,
        to found: inout [DocumentNumber]
    ) throws(SearchStop) {
        for lists in segment.lists(for: filter) {
            for term in terms where found.count < limit {
                try control.check()
                guard let place = lists.place(of: term) else { continue }
                let list = lists.list(at: place)
                guard filter.mayMeet(list.mask) else { continue }
                if let only = list.only, filter.covers(list.mask) {
                    found.append(only)
                } else {
                    take(limit, of: PostingCursor(lists, list), in: filter, to: &found)
                }
                SortedNumbers.sortDistinct(&found)
            }
        }
    }

    private func take(
        _ limit: Int, of list: PostingCursor, in filter: AttributeFilter,
        to found: inout [DocumentNumber]
    ) {
        var cursor = list
        var taken = 0
        while taken < limit, !cursor.isAtEnd {
            if cursor.occurs(in: filter) {
                found.append(cursor.documentNumber)
                taken += 1
            }
            cursor.advance()
        }
    }

    /// The documents of a word whose number lies in a range.
    private mutating func anyDocuments(
        ofAll parts: [PlannedExpression], _ limit: Int
    ) throws(SearchStop) -> DocumentSet? {
        guard parts.count == 2, case .comparison(let first) = parts[0],
            case .comparison(let second) = parts[1],
            let word = try onlyTerm(ofComparison: first, in: .all(of: documentCount)),
            word.isWhole, let (column, interval) = numbers(ofComparison: second)
        else { return nil }
        var found: [DocumentNumber] = []
        var cursor = word.lists.cursor(for: word.term)
        var pace = CheckPace(control)
        while found.count < limit, !cursor.isAtEnd {
            try pace.step()
            if interval.contains(column.firstValue(of: cursor.documentNumber)) {
                found.append(cursor.documentNumber)
            }
            cursor.advance()
        }
        return DocumentSet(.list(found), of: documentCount)
    }

    /// The one column that a range is about, of one number a document.
    private func numbers(ofComparison number: Int) -> (NumericColumn, NumericInterval)? {
        guard case .numeric(let interval, let domain) = comparisons[number].test,
            case .named = comparisons[number].attribute, covered[number].all.count == 1
        else { return nil }
        let attribute = segment.attributes[Int(covered[number].all[0])]
        let numbers = domain == .numbersAndDates ? attribute.numbers : nil
        guard (numbers == nil) != (attribute.dates == nil),
            let column = numbers ?? attribute.dates, !column.isMultiValued
        else { return nil }
        return (column, interval)
    }
}
