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
        var ascii: ASCIITexts
        /// Decides the others.
        let glob: () -> GlobPattern

        init(
            folded: Bool, ascii: ASCIITexts = .unknown, glob: @escaping () -> GlobPattern
        ) {
            self.folded = folded
            self.ascii = ascii
            self.glob = glob
        }

        init(_ plan: TokenPlan) {
            self.init(folded: plan.decidesFolded, ascii: ASCIITexts(plan)) { plan.glob }
        }

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
        /// All whose key is known to be this plain word match, folded so; of others those that have
        /// the word between boundaries.
        case whole([UInt8], FoldingOptions)
        /// Those match that have a plain word between boundaries.
        case having([UInt8])

        var within: ASCIITexts {
            if case .whole(let word, _) = self { .having(word) } else { self }
        }

        init(_ plan: TokenPlan) {
            guard plan.decidesASCII else {
                self = .unknown
                return
            }
            guard case .exact(let key) = plan.narrowing else {
                self = .all
                return
            }
            self = .whole(key, plan.options)
        }

        /// Whether a text matches; nil where that is not known.
        func decide(_ text: Span<UInt8>) -> Bool? {
            switch self {
            case .unknown: nil
            case .all: ByteSearch.isASCII(text) ? true : nil
            case .whole(let word, let options):
                ByteSearch.isASCII(text) ? true : Self.decide(text, word, options)
            case .having(let word):
                ByteSearch.isASCII(text) ? ASCIIWord.stands(word.span, in: text) : nil
            }
        }

        /// Whether a text matches a word: surely where it folds to it, surely not where it folds
        /// to what does not even contain it.
        private static func decide(
            _ text: Span<UInt8>, _ word: [UInt8], _ options: FoldingOptions
        ) -> Bool? {
            let folded = foldedBytes(text, options)
            if folded == word { return true }
            return ByteSearch.firstOffset(of: word.span, in: folded.span, from: 0) == nil
                ? false : nil
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

    /// The terms that a plan for one token matches: mostly one, for which no list is made.
    enum Terms {
        case one(TermID)
        /// Ascending.
        case list([TermID])
    }

    /// The terms that a plan for one token matches, ascending.
    package static func terms(
        of plan: TokenPlan, in dictionary: TermDictionary, control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        switch try oneOrMore(of: plan, in: dictionary, control: control) {
        case .one(let term): [term]
        case .list(let terms): terms
        }
    }

    /// The same, without a list where there is one.
    static func oneOrMore(
        of plan: TokenPlan, in dictionary: TermDictionary, control: SearchControl
    ) throws(SearchStop) -> Terms {
        switch plan.narrowing {
        case .exact(let key): return try words(key, plan, dictionary, control)
        case .prefix(let key):
            let range = dictionary.range(withFoldedPrefix: key.span)
            let decision = Decision(plan)
            let terms = try decide(range, decision, dictionary.texts, control)
            let inner = try dictionary.camelTerms(withFoldedPrefix: key.span, control: control)
            return .list(try adding(inner, decision, to: terms, dictionary, control))
        case .containing(let key):
            let terms = try dictionary.terms(containing: key.span, control: control)
            return .list(try decide(terms, Decision(plan), dictionary.texts, control))
        case .none:
            let all = 0..<TermID(dictionary.count)
            return .list(try decide(all, Decision(plan), dictionary.texts, control))
        }
    }

    /// The terms that a whole word matches.
    private static func words(
        _ key: [UInt8], _ plan: TokenPlan, _ dictionary: TermDictionary, _ control: SearchControl
    ) throws(SearchStop) -> Terms {
        // A token begins with the word and ends there, or has a boundary behind it; tokens that
        // are their own key have no upper case and so no boundary inside.
        let texts = dictionary.texts
        let whole = texts.range(withKey: key.span)
        var (longer, inner): ([TermID], [TermID]) = ([], [])
        // Where no term has a boundary inside, no longer one has it behind the word.
        if dictionary.camel.count > 0 {
            longer = try parted(behind: whole.upperBound, key.span, dictionary, control)
            inner = try dictionary.camelTerms(withFoldedPrefix: key.span, control: control)
        }
        if whole.count == 1, plan.decidesFolded, longer.isEmpty, inner.isEmpty,
            texts.isFolded(whole.lowerBound)
        {
            return .one(whole.lowerBound)
        }
        let decision = Decision(plan)
        var terms = try decide(whole, decision, texts, control)
        if !longer.isEmpty { terms += try decide(longer, decision.within, texts, control) }
        return .list(try adding(inner, decision, to: terms, dictionary, control))
    }

    /// The terms from a rank on whose keys begin with a word and that have a boundary inside:
    /// others match as a whole or not at all.
    private static func parted(
        behind rank: TermID, _ key: Span<UInt8>, _ dictionary: TermDictionary,
        _ control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        let texts = dictionary.texts
        guard let known = dictionary.parted else {
            return parted(try texts.unfolded(from: rank, withKeyPrefix: key, control), of: texts)
        }
        var found: [TermID] = []
        var pace = CheckPace(control)
        var place = SortedNumbers.lowerBound(of: rank, in: known.span, from: 0)
        while place < known.count,
            texts.withKey(of: known[place], { ByteOrder.hasPrefix($0, key) })
        {
            try pace.step(16)
            found.append(known[place])
            place += 1
        }
        return found
    }

    /// Those of some terms that a plan for one token matches, whose keys are known to fit.
    static func terms(
        of plan: TokenPlan, among candidates: [TermID], in dictionary: TermDictionary,
        control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        try decide(candidates, Decision(plan), dictionary.texts, control)
    }

    /// Those of some terms that have a word boundary inside: others match as a whole or not at all.
    private static func parted(_ terms: [TermID], of texts: SortedTexts) -> [TermID] {
        var tokens = TokenList()
        return terms.filter { term in
            texts.withOriginal(of: term) { Tokenizer.tokenize($0, into: &tokens) }
            return !tokens.boundaries.isEmpty
        }
    }

    /// Adds those of some terms that match from a word boundary inside.
    private static func adding(
        _ inner: [TermID], _ decision: Decision, to terms: [TermID], _ dictionary: TermDictionary,
        _ control: SearchControl
    ) throws(SearchStop) -> [TermID] {
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
