import FresnelKernels
import FresnelText

/// Decides the entries of sorted tables of texts, each once.
package enum TextCandidates {
    /// Entries decided between two looks at the budget.
    private static let pageLength = 1024

    /// What need not be compiled to decide a text.
    private struct Decision {
        /// Whether texts that are their own keys match.
        var folded: Bool
        /// Which texts of ASCII match.
        var ascii = ASCIITexts.unknown
        /// Decides the others.
        let glob: () -> GlobPattern

        /// The same where only a beginning of the key, or of what follows a boundary, is known.
        var within: Decision {
            Decision(folded: false, ascii: ascii.within, glob: glob)
        }
    }

    /// What is known of texts of ASCII.
    private enum ASCIITexts {
        case unknown
        /// All match.
        case all
        /// All whose key is known to be this plain word match; of others those that have the word
        /// between boundaries.
        case whole([UInt8])
        /// Those match that have a plain word between boundaries.
        case having([UInt8])

        var within: ASCIITexts {
            if case .whole(let word) = self { .having(word) } else { self }
        }

        init(_ plan: TokenPlan) {
            guard plan.decidesASCII else {
                self = .unknown
                return
            }
            if case .exact(let key) = plan.narrowing { self = .whole(key) } else { self = .all }
        }

        /// Whether a text matches, if it is of ASCII; nil where that is not known.
        func decide(_ text: Span<UInt8>) -> Bool? {
            switch self {
            case .unknown: nil
            case .all, .whole: ByteSearch.isASCII(text) ? true : nil
            case .having(let word):
                ByteSearch.isASCII(text) ? ASCIIWord.stands(word.span, in: text) : nil
            }
        }
    }

    /// The texts that a pattern on whole texts matches, ascending.
    package static func ranks(
        of plan: PatternPlan, narrowing: KeyNarrowing, in texts: SortedTexts,
        control: SearchControl
    ) throws(SearchStop) -> [ValueRank] {
        let decision = Decision(folded: plan.decidesFolded) { plan.glob }
        return switch narrowing {
        case .exact(let key):
            try decide(texts.range(withKey: key.span), decision, texts, control)
        case .prefix(let key):
            try decide(texts.range(withKeyPrefix: key.span), decision, texts, control)
        case .containing(let key):
            try decide(
                try texts.ranks(withKeyContaining: key.span, control: control), decision, texts,
                control)
        case .none:
            try decide(0..<ValueRank(texts.count), decision, texts, control)
        }
    }

    /// The terms that a plan for one token matches, ascending.
    package static func terms(
        of plan: TokenPlan, in dictionary: TermDictionary, control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        let texts = dictionary.texts
        let decision = Decision(folded: plan.decidesFolded, ascii: ASCIITexts(plan)) { plan.glob }
        switch plan.narrowing {
        case .exact(let key):
            // A token begins with the word and ends there, or has a boundary behind it; tokens that
            // are their own key have no upper case and so no boundary inside.
            let whole = texts.range(withKey: key.span)
            var terms = try decide(whole, decision, texts, control)
            // Where no term has a boundary inside, no longer one has it behind the word.
            guard dictionary.camel.count > 0 else { return terms }
            let longer = Self.parted(
                try texts.unfolded(from: whole.upperBound, withKeyPrefix: key.span, control),
                of: texts)
            if !longer.isEmpty { terms += try decide(longer, decision.within, texts, control) }
            return try adding(decision, key, to: terms, dictionary, control)
        case .prefix(let key):
            let range = dictionary.range(withFoldedPrefix: key.span)
            let terms = try decide(range, decision, texts, control)
            return try adding(decision, key, to: terms, dictionary, control)
        case .containing(let key):
            let terms = try dictionary.terms(containing: key.span, control: control)
            return try decide(terms, decision, texts, control)
        case .none:
            return try decide(0..<TermID(dictionary.count), decision, texts, control)
        }
    }

    /// The only term that a plan for one token matches, where a look at the entry of a whole word
    /// says so: it is its own key, and no term has a boundary inside; nil where that is not known.
    static func onlyTerm(of plan: TokenPlan, in dictionary: TermDictionary) -> TermID? {
        guard plan.decidesFolded, dictionary.camel.count == 0,
            case .exact(let key) = plan.narrowing
        else { return nil }
        let whole = dictionary.range(withFoldedKey: key.span)
        guard whole.count == 1, dictionary.texts.isFolded(whole.lowerBound) else { return nil }
        return whole.lowerBound
    }

    /// Those of some terms that a plan for one token matches, whose keys are known to fit.
    static func terms(
        of plan: TokenPlan, among candidates: [TermID], in dictionary: TermDictionary,
        control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        let decision = Decision(folded: plan.decidesFolded, ascii: ASCIITexts(plan)) { plan.glob }
        return try decide(candidates, decision, dictionary.texts, control)
    }

    /// Those of some terms that have a word boundary inside: others match as a whole or not at all.
    private static func parted(_ terms: [TermID], of texts: SortedTexts) -> [TermID] {
        var tokens = TokenList()
        return terms.filter { term in
            texts.withOriginal(of: term) { Tokenizer.tokenize($0, into: &tokens) }
            return !tokens.boundaries.isEmpty
        }
    }

    /// Adds the terms that match from a word boundary inside.
    private static func adding(
        _ decision: Decision, _ key: [UInt8], to terms: [TermID], _ dictionary: TermDictionary,
        _ control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        guard dictionary.camel.count > 0 else { return terms }
        let inner = try dictionary.camelTerms(withFoldedPrefix: key.span, control: control)
        guard !inner.isEmpty else { return terms }
        let found = try decide(inner, decision.within, dictionary.texts, control)
        return SortedNumbers.union(terms, found)
    }

    private static func decide(
        _ range: Range<UInt32>, _ decision: Decision, _ texts: SortedTexts, _ control: SearchControl
    ) throws(SearchStop) -> [UInt32] {
        guard !range.isEmpty else { return [] }
        if decision.folded, texts.areFolded(range) {
            var matches: [UInt32] = []
            matches.reserveCapacity(range.count)
            for start in stride(
                from: Int(range.lowerBound), to: Int(range.upperBound), by: pageLength)
            {
                try control.check()
                let end = min(Int(range.upperBound), start + pageLength)
                matches.append(contentsOf: UInt32(start)..<UInt32(end))
            }
            return matches
        }
        return try decide(Array(range), decision, texts, control)
    }

    private static func decide(
        _ candidates: [UInt32], _ decision: Decision, _ texts: SortedTexts,
        _ control: SearchControl
    ) throws(SearchStop) -> [UInt32] {
        var matches: [UInt32] = []
        matches.reserveCapacity(candidates.count)
        var untilCheck = pageLength
        var glob: GlobPattern?
        for candidate in candidates {
            untilCheck -= 1
            if untilCheck == 0 {
                try control.check()
                untilCheck = pageLength
            }
            if decision.folded, texts.isFolded(candidate) {
                matches.append(candidate)
                continue
            }
            let isMatch = texts.withOriginal(of: candidate) { text in
                if let isMatch = decision.ascii.decide(text) { return isMatch }
                let compiled = glob ?? decision.glob()
                glob = compiled
                return compiled.matches(utf8: text)
            }
            if isMatch { matches.append(candidate) }
        }
        return matches
    }
}
