/// The hierarchy of domain identifiers: parts joined by periods, `account.mailbox`.
public enum Domain {
    /// Whether `candidate` is `domain` or lies below it, compared part by part.
    ///
    /// `store` contains `store.produce`, but not `storefront`; letter case counts.
    public static func contains(domain: String, candidate: String) -> Bool {
        let domain = domain.utf8
        let candidate = candidate.utf8
        guard candidate.starts(with: domain) else { return false }
        let rest = candidate.dropFirst(domain.count)
        return rest.first == nil || rest.first == UInt8(ascii: ".")
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
