import FresnelKernels
import FresnelText

// A phrase: the documents that have all tokens, then those where the tokens stand in a row, then,
// unless that says it all, those whose texts match. Places say it all when the tokens are parted by
// white space only and no term has a word boundary inside; of documents with irregular characters
// those are looked at that have all tokens, or one across such a character, and their texts decide.

extension SegmentMatcher {
    /// A phrase as one query sees it in one segment.
    struct Phrase {
        let plan: PatternPlan
        let tokens: [TokenPlan]
        let pattern: MatchMemory.Pattern
        let attributes: [AttributeOrdinal]
    }

    /// The documents of `candidates` in which a phrase occurs.
    mutating func documents(
        with phrase: Phrase, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        let terms = try terms(phrase.tokens, phrase.pattern)
        if terms.allSatisfy({ $0.count <= Self.rowLimit }),
            let found = try walked(phrase, in: candidates)
        {
            return found
        }
        var found: [DocumentNumber] = []
        try visit(phrase, in: candidates) { document, _ in
            if found.last != document { found.append(document) }
        }
        return DocumentSet(.list(found), of: documentCount)
    }

    /// The same for a phrase of words of few terms each, as those of one word in several spellings
    /// are, whose places say it all; nil for others.
    private mutating func walked(
        _ phrase: Phrase, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet? {
        guard phrase.plan.isPartedByWhitespace, phrase.tokens.dropFirst().allSatisfy(\.isAdjacent)
        else { return nil }
        let filter = filter(of: phrase)
        let lists = segment.lists(for: filter)
        guard lists.count == 1 else { return nil }
        let terms = try terms(phrase.tokens, phrase.pattern)
        guard terms.count == phrase.tokens.count else {
            return try clarified(.none(of: documentCount), phrase, candidates)
        }
        // Every way to take one spelling of each word; mostly there is one.
        var rows: [[PostingList]] = [[]]
        for choices in terms {
            var spellings: [PostingList] = []
            for term in choices {
                let list = lists[0].list(of: term)
                guard filter.mayMeet(list.mask) else { continue }
                if hasInnerBoundary(term) { return nil }
                spellings.append(list)
            }
            guard rows.count * spellings.count <= Self.rowLimit else { return nil }
            if spellings.count == 1, rows.count == 1 {
                rows[0].append(spellings[0])
            } else {
                rows = rows.flatMap { row in spellings.map { row + [$0] } }
            }
        }
        guard !terms.isEmpty else { return nil }
        var found = DocumentSet.none(of: documentCount)
        for row in rows {
            let met = try MetWords(row, of: lists[0], among: candidates, control: control)
            var walk = PhraseWalk(row, of: lists[0], filter: filter)
            guard let walked = try walk.documents(of: met, control) else { return nil }
            found.formUnion(DocumentSet(.list(walked), of: documentCount))
        }
        return try clarified(found, phrase, candidates)
    }

    /// Ways to take the spellings of words, above which all are walked at once, document by
    /// document.
    private static let rowLimit = 32

    /// What places say, corrected by the texts of documents with irregular characters: those found
    /// by their places, and those that places may miss.
    private mutating func clarified(
        _ found: DocumentSet, _ phrase: Phrase, _ candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        guard phrase.plan.hasIrregularTexts, !view.irregular.numbers.isEmpty else { return found }
        var unclear = DocumentSet(.list(view.irregular.numbers), of: documentCount)
        unclear.formIntersection(found)
        unclear.formUnion(try irregular(phrase.plan, in: candidates))
        guard !unclear.isEmpty else { return found }
        var clear = found
        clear.subtract(unclear)
        clear.formUnion(
            try verified(unclear, phrase.plan, phrase.pattern, phrase.attributes))
        return clear
    }

    /// Calls `body` with the documents, ascending, and the attributes in which a phrase occurs.
    mutating func visit(
        _ phrase: Phrase, in candidates: DocumentSet,
        _ body: (DocumentNumber, AttributeOrdinal) -> Void
    ) throws(SearchStop) {
        let filter = filter(of: phrase)
        let terms = try terms(phrase.tokens, phrase.pattern)
        let possible = try possible(phrase, in: candidates)
        let unclear = DocumentSet(
            .list(phrase.plan.hasIrregularTexts ? view.irregular.numbers : []),
            of: documentCount)
        var positions = PhrasePositions(
            phrase.tokens, terms: terms, in: segment, filter: filter)
        let isPossible = terms.count == phrase.tokens.count
        let isExact =
            phrase.plan.isPartedByWhitespace && positions.isWhole && isPossible
            && terms.allSatisfy { $0.allSatisfy { !hasInnerBoundary($0) } }
        var both = possible
        both.formUnion(try irregular(phrase.plan, in: candidates))
        var untilCheck = 1024
        for document in both.documents {
            untilCheck -= 1
            if untilCheck == 0 {
                try control.check()
                untilCheck = 1024
            }
            let isUnclear = unclear.contains(document)
            let attributes =
                isUnclear || !positions.isSelective
                ? phrase.attributes : positions.attributes(of: document)
            for attribute in attributes
            where !isUnclear && isExact
                || holds(phrase.plan, phrase.pattern, in: attribute, of: document)
            {
                body(document, attribute)
            }
        }
    }

    /// The attributes in which a phrase counts.
    private func filter(of phrase: Phrase) -> AttributeFilter {
        covered[phrase.pattern.comparison].filter(
            for: phrase.attributes, of: segment.attributes.count)
    }

    /// The candidates that may match although tokens do not say so.
    mutating func irregular(
        _ plan: PatternPlan, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        guard plan.hasIrregularTexts else { return .none(of: documentCount) }
        return try irregular(touchedBy: plan.literalKeys, in: candidates)
    }

    /// The documents in which one of some keys touches an irregular character; all with irregular
    /// characters where no keys are known.
    mutating func irregular(
        touchedBy keys: [[UInt8]]?, in candidates: DocumentSet? = nil
    ) throws(SearchStop) -> DocumentSet {
        guard !view.irregular.numbers.isEmpty else { return .none(of: documentCount) }
        let numbers: [DocumentNumber]
        if let keys, let known = memory.documents(touchedBy: keys) {
            numbers = known
        } else if let keys {
            numbers = try view.irregular.documents(touchedBy: keys, in: segment, control)
            memory.keep(numbers, touchedBy: keys)
        } else {
            numbers = view.irregular.numbers
        }
        var unclear = DocumentSet(.list(numbers), of: documentCount)
        if let candidates { unclear.formIntersection(candidates) }
        return unclear
    }

    /// The documents of a set in which a phrase may occur.
    mutating func candidates(
        of phrase: Phrase, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        var both = try possible(phrase, in: candidates)
        both.formUnion(try irregular(phrase.plan, in: candidates))
        return both
    }

    /// The candidates that have all tokens.
    private mutating func possible(
        _ phrase: Phrase, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        let terms = try terms(phrase.tokens, phrase.pattern)
        let filter = filter(of: phrase)
        guard let whole = gathered?.whole else { return try possible(terms, filter, candidates) }
        var possible: DocumentSet
        if let known = gathered?.phrases[phrase.pattern] {
            possible = known
        } else {
            possible = try self.possible(terms, filter, whole)
            gathered?.phrases[phrase.pattern] = possible
        }
        possible.formIntersection(candidates)
        return possible
    }

    /// The candidates that have all tokens, the rarest first.
    private func possible(
        _ terms: [[TermID]], _ filter: AttributeFilter, _ candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        var pace = CheckPace(control)
        let lists = segment.lists(for: filter)
        var sizes = terms.map { _ in 0 }
        for place in terms.indices {
            for term in terms[place] {
                try pace.step()
                for lists in lists { sizes[place] += lists.documentCount(of: term) }
            }
        }
        var possible = candidates
        for place in terms.indices.sorted(by: { (sizes[$0], $0) < (sizes[$1], $1) }) {
            guard !possible.isEmpty else { break }
            possible.formIntersection(
                try documents(withAnyOf: terms[place], in: filter, among: possible))
        }
        return possible
    }

    /// Whether a term can be entered or left inside, as `MyWindowClass` can.
    private func hasInnerBoundary(_ term: TermID) -> Bool {
        guard !segment.terms.texts.isFolded(term) else { return false }
        let tokens = Tokenizer.tokens(
            of: segment.terms.texts.withOriginal(of: term) { [UInt8](copying: $0) })
        return tokens.tokens.contains { $0.boundaryCount > 0 }
    }
}
