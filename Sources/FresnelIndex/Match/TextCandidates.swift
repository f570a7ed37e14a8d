import FresnelKernels
import FresnelText

/// Decides the entries of sorted tables of texts, each once.
package enum TextCandidates {
    /// Entries decided between two looks at the budget.
    private static let pageLength = 1024

    /// The texts that a pattern on whole texts matches, ascending.
    package static func ranks(
        of plan: PatternPlan, narrowing: KeyNarrowing, in texts: SortedTexts,
        control: SearchControl
    ) throws(SearchStop) -> [ValueRank] {
        switch narrowing {
        case .exact(let key):
            try decide(
                texts.range(withKey: key.span), plan.glob, plan.decidesFolded, texts, control)
        case .prefix(let key):
            try decide(
                texts.range(withKeyPrefix: key.span), plan.glob, plan.decidesFolded, texts, control)
        case .containing(let key):
            try decide(
                try texts.ranks(withKeyContaining: key.span, control: control), plan.glob,
                plan.decidesFolded, texts, control)
        case .none:
            try decide(0..<ValueRank(texts.count), plan.glob, plan.decidesFolded, texts, control)
        }
    }

    /// The terms that a plan for one token matches, ascending.
    package static func terms(
        of plan: TokenPlan, in dictionary: TermDictionary, control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        let texts = dictionary.texts
        switch plan.narrowing {
        case .exact(let key):
            // A token begins with the word and ends there, or has a boundary behind it; tokens that
            // are their own key have no upper case and so no boundary inside.
            let whole = texts.range(withKey: key.span)
            guard dictionary.hasOriginals else {
                return try decide(whole, plan.glob, plan.decidesFolded, texts, control)
            }
            var longer: [TermID] = []
            var pace = CheckPace(control)
            for term in dictionary.range(withFoldedPrefix: key.span) {
                try pace.step()
                if term >= whole.upperBound, !texts.isFolded(term) { longer.append(term) }
            }
            var terms = try decide(whole, plan.glob, plan.decidesFolded, texts, control)
            terms += try decide(longer, plan.glob, false, texts, control)
            return try adding(plan, key, to: terms, dictionary, control)
        case .prefix(let key):
            let range = dictionary.range(withFoldedPrefix: key.span)
            let terms = try decide(range, plan.glob, plan.decidesFolded, texts, control)
            return try adding(plan, key, to: terms, dictionary, control)
        case .containing(let key):
            let terms = try dictionary.terms(containing: key.span, control: control)
            return try decide(terms, plan.glob, plan.decidesFolded, texts, control)
        case .none:
            return try decide(
                0..<TermID(dictionary.count), plan.glob, plan.decidesFolded, texts, control)
        }
    }

    /// Adds the terms that match from a word boundary inside.
    private static func adding(
        _ plan: TokenPlan, _ key: [UInt8], to terms: [TermID], _ dictionary: TermDictionary,
        _ control: SearchControl
    ) throws(SearchStop) -> [TermID] {
        guard dictionary.camel.count > 0 else { return terms }
        let inner = try dictionary.camelTerms(withFoldedPrefix: key.span, control: control)
        guard !inner.isEmpty else { return terms }
        let found = try decide(inner, plan.glob, false, dictionary.texts, control)
        return SortedNumbers.union(terms, found)
    }

    private static func decide(
        _ candidates: some Collection<UInt32>, _ glob: GlobPattern, _ decidesFolded: Bool,
        _ texts: SortedTexts, _ control: SearchControl
    ) throws(SearchStop) -> [UInt32] {
        var matches: [UInt32] = []
        var untilCheck = pageLength
        for candidate in candidates {
            untilCheck -= 1
            if untilCheck == 0 {
                try control.check()
                untilCheck = pageLength
            }
            let isDecided = decidesFolded && texts.isFolded(candidate)
            if isDecided || glob.matches(utf8: texts.original(of: candidate)) {
                matches.append(candidate)
            }
        }
        return matches
    }
}
