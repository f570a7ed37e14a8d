/// The hierarchy of domain identifiers: parts joined by periods, `account.mailbox`.
public enum Domain {
    /// Whether `candidate` is `domain` or lies below it, compared part by part.
    ///
    /// `store` contains `store.produce`, but not `storefront`; letter case counts.
    public static func contains(domain: String, candidate: String) -> Bool {
        contains(domain: domain.utf8.span, candidate: candidate.utf8.span)
    }

    /// The same of texts given as UTF-8.
    package static func contains(
        domain: borrowing Span<UInt8>, candidate: borrowing Span<UInt8>
    ) -> Bool {
        guard candidate.count >= domain.count else { return false }
        for place in domain.indices where candidate[place] != domain[place] { return false }
        return candidate.count == domain.count || candidate[domain.count] == UInt8(ascii: ".")
    }

    /// The domain and all above it, outermost first: `a`, `a.b`, `a.b.c`.
    public static func ancestors(of domain: String) -> [String] {
        let periods = domain.utf8.indices.filter { domain.utf8[$0] == UInt8(ascii: ".") }
        return periods.map { String(domain[..<$0]) } + [domain]
    }

    /// Whether every part of the text has at least one character.
    public static func isValid(_ domain: String) -> Bool {
        domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty }
    }
}
