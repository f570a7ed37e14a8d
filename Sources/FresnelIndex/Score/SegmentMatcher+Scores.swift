import FresnelModel
import FresnelText

// Most scored predicates are one word, which is one term of the segment: its postings are walked
// beside the found documents. Whatever else gathers its occurrences first and sorts them.

extension SegmentMatcher {
    /// The scores of found documents; predicates add up in query order.
    ///
    /// - Parameter documents: ascending.
    mutating func scores(
        of documents: [DocumentNumber], by terms: ScoringTerms, _ weights: FieldWeights
    ) throws(SearchStop) -> [Double] {
        let found = DocumentSet(.list(documents), of: documentCount)
        var scores = documents.map { _ in 0.0 }
        for (place, number) in terms.comparisons.enumerated() {
            let rarity = terms.rarities[place]
            if let attribute = onlyAttribute(ofPhrase: number) {
                try add(attribute, documents, weights, rarity, to: &scores)
            } else if let only = try onlyTerm(ofComparison: number, in: found) {
                try add(only, documents, weights, rarity, to: &scores)
            } else if try !addSpellings(
                ofComparison: number, to: &scores, of: documents, found, weights, rarity)
            {
                let occurrences = try occurrences(ofComparison: number, in: found)
                try control.check()
                try add(occurrences, documents, weights, rarity, to: &scores)
            }
        }
        return scores
    }

    /// How many documents to score at once: a pattern of many terms looks all of them up each time.
    mutating func runLength(forScoring comparisons: [Int]) throws(SearchStop) -> Int {
        var terms = 0
        for number in comparisons {
            guard case .text(let text) = self.comparisons[number].test else { continue }
            if case .token(let token) = text.ordinary.shape {
                let pattern = MatchMemory.Pattern(comparison: number, reading: .ordinary)
                terms = max(terms, try self.terms(of: token, pattern).count)
            }
            if !text.ordinary.isWordBased, case .token(let token) = text.content.shape {
                let pattern = MatchMemory.Pattern(comparison: number, reading: .content)
                terms = max(terms, try self.terms(of: token, pattern).count)
            }
        }
        return min(max(CheckPace.interval, 16 * terms), Limits.searchWindowHits)
    }

    /// The documents of a set to which a scored comparison may contribute; a few too many do no
    /// harm.
    mutating func reach(
        ofComparison number: Int, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        takesCandidates = true
        defer { takesCandidates = false }
        return try matches(comparison: number, in: candidates)
    }

    /// A term that decides a comparison alone.
    ///
    /// A class, since it goes from hand to hand while a query is answered.
    final class OnlyTerm: Sendable {
        let term: TermID
        /// The attributes it counts in.
        let filter: AttributeFilter
        /// Where all its occurrences in them are.
        let lists: PostingLists
        /// Whether the filter covers every occurrence in the list.
        let isWhole: Bool
        /// Its list, found once.
        let list: PostingList
        /// How many documents have it, in any attribute.
        var documentCount: Int { list.documentCount }

        private init(
            _ term: TermID, _ filter: AttributeFilter, _ list: PostingList,
            of lists: PostingLists
        ) {
            self.term = term
            self.filter = filter
            self.lists = lists
            self.list = list
            isWhole = filter.covers(list.mask)
        }

        /// Nil for a term that does not occur in the attributes of the filter.
        static func find(
            _ term: TermID, _ filter: AttributeFilter, in lists: PostingLists
        ) -> OnlyTerm? {
            guard let place = lists.place(of: term) else { return nil }
            let list = lists.list(at: place)
            guard filter.mayMeet(list.mask) else { return nil }
            return OnlyTerm(term, filter, list, of: lists)
        }

        /// Calls `body` with all documents that have the term, ascending, and what it alone scores
        /// in them: for terms of few documents.
        @inline(__always)
        func forEachScore(
            rarity: Double, _ weights: FieldWeights, _ control: SearchControl,
            _ body: (DocumentNumber, Double) -> Void
        ) throws(SearchStop) {
            var pace = CheckPace(control)
            var cursor = PostingCursor(lists, list)
            while !cursor.isAtEnd {
                try pace.step()
                let sum = cursor.weightedOccurrences(in: filter, weights)
                body(
                    cursor.documentNumber,
                    Relevance.score(rarity: rarity, weightedOccurrences: sum))
                cursor.advance()
            }
        }
    }

    /// The one term that decides a comparison, with the attributes it counts in.
    mutating func onlyTerm(
        ofComparison number: Int, in found: DocumentSet
    ) throws(SearchStop) -> OnlyTerm? {
        let plan = comparisons[number]
        guard let token = plan.word, try isDecided(byTokensOf: plan, token, in: found)
        else { return nil }
        let pattern = MatchMemory.Pattern(comparison: number, reading: .ordinary)
        if let known = memory.onlyTerm(pattern) { return known }
        let filter = covered[number].filter
        guard let lists = segment.onlyLists(for: filter) else { return nil }
        if let known = memory.termsOfToken(pattern) {
            let only = Self.onlyTerm(of: known, filter, in: lists)
            memory.keep(known, ofToken: pattern, only: only)
            return only
        }
        switch try TextCandidates.oneOrMore(of: token, in: segment.terms, control: control) {
        case .one(let term):
            guard let only = OnlyTerm.find(term, filter, in: lists) else {
                memory.keep([term], ofToken: pattern)
                return nil
            }
            memory.keep(only, ofToken: pattern)
            return only
        case .list(let terms):
            let only = Self.onlyTerm(of: terms, filter, in: lists)
            memory.keep(terms, ofToken: pattern, only: only)
            return only
        }
    }

    /// The only one of some terms that may occur in the attributes of a filter.
    private static func onlyTerm(
        of terms: [TermID], _ filter: AttributeFilter, in lists: PostingLists
    ) -> OnlyTerm? {
        var only: OnlyTerm?
        for term in terms {
            guard let found = OnlyTerm.find(term, filter, in: lists) else { continue }
            guard only == nil else { return nil }
            only = found
        }
        return only
    }

    /// The attribute of a phrase that every found document has, in that one alone: nil where there
    /// may be others, or none.
    private func onlyAttribute(ofPhrase number: Int) -> AttributeOrdinal? {
        guard comparisons[number].isRequired, isOfOneAttribute(number),
            case .text(let text) = comparisons[number].test, text.ordinary.isWordBased,
            case .phrase = text.ordinary.shape
        else { return nil }
        return covered[number].all[0]
    }

    /// Adds what a phrase in one attribute of every document adds.
    private func add(
        _ attribute: AttributeOrdinal, _ documents: [DocumentNumber], _ weights: FieldWeights,
        _ rarity: Double, to scores: inout [Double]
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        for (place, document) in documents.enumerated() {
            try pace.step()
            let sum = weights.weighted(1, in: attribute, of: document)
            scores[place] += Relevance.contribution(rarity: rarity, weightedOccurrences: sum)
        }
    }

    private func add(
        _ only: OnlyTerm, _ documents: [DocumentNumber], _ weights: FieldWeights, _ rarity: Double,
        to scores: inout [Double]
    ) throws(SearchStop) {
        try control.check()
        var pace = CheckPace(control)
        var cursor = PostingCursor(only.lists, only.list)
        var position = 0
        while position < documents.count, !cursor.isAtEnd {
            try pace.step()
            let document = cursor.documentNumber
            if documents[position] < document {
                position = SortedNumbers.lowerBound(
                    of: document, in: documents.span, from: position)
            } else if documents[position] > document {
                cursor.seek(to: documents[position])
            } else {
                let sum = cursor.weightedOccurrences(in: only.filter, weights)
                if sum > 0 {
                    scores[position] += Relevance.contribution(
                        rarity: rarity, weightedOccurrences: sum)
                }
                position += 1
                cursor.advance()
            }
        }
    }

    private func add(
        _ occurrences: [AttributeOccurrences], _ documents: [DocumentNumber],
        _ weights: FieldWeights, _ rarity: Double, to scores: inout [Double]
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        var position = 0
        var next = 0
        while next < occurrences.count {
            try pace.step()
            let document = occurrences[next].document
            var sum = 0.0
            while next < occurrences.count, occurrences[next].document == document {
                sum += weights.weighted(
                    occurrences[next].count, in: occurrences[next].attribute, of: document)
                next += 1
            }
            position = SortedNumbers.lowerBound(
                of: document, in: documents.span, from: position)
            scores[position] += Relevance.contribution(rarity: rarity, weightedOccurrences: sum)
        }
    }
}
