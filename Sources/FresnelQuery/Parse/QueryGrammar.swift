import FresnelModel

/// Recursive descent over the query grammar: one method a rule, in `QueryGrammar+….swift`.
///
/// `query = or-expr end; or-expr = and-expr {"||" and-expr}; and-expr = unary {"&&" unary};`
/// `unary = ["!"] primary; primary = "(" or-expr ")" | range | comparison | "true" | "false"`.
/// Only parentheses recurse, and `QueryLimits.depth` bounds them.
struct QueryGrammar {
    var scanner: QueryScanner
    let options: ParseOptions
    private(set) var warnings: [QueryWarning] = []
    private var predicateCount = 0

    init(_ text: String, options: ParseOptions) {
        scanner = QueryScanner(text)
        self.options = options
    }

    mutating func query() throws(QueryError) -> Expression {
        scanner.skipSpace()
        guard !scanner.isAtEnd else {
            throw failure("a comparison", hint: "to match everything write title == \"*\" or true")
        }
        let expression = try alternatives(depth: 0)
        guard scanner.isAtEnd else { throw unexpectedAfterPredicate(isInParentheses: false) }
        return expression
    }

    private mutating func alternatives(depth: Int) throws(QueryError) -> Expression {
        let first = try conjunction(depth: depth)
        guard try connector("|") else { return first }
        var parts = [first, try conjunction(depth: depth)]
        while try connector("|") { parts.append(try conjunction(depth: depth)) }
        return .anyOf(parts)
    }

    private mutating func conjunction(depth: Int) throws(QueryError) -> Expression {
        let first = try unary(depth: depth)
        guard try connector("&") else { return first }
        var parts = [first, try unary(depth: depth)]
        while try connector("&") { parts.append(try unary(depth: depth)) }
        return .allOf(parts)
    }

    /// Reads `&&` or `||` if it is next; a single one is an error with a hint.
    private mutating func connector(_ scalar: Unicode.Scalar) throws(QueryError) -> Bool {
        scanner.skipSpace()
        guard scanner.peek() == scalar else { return false }
        guard scanner.peek(1) == scalar else {
            throw failure("'\(scalar)\(scalar)'", hint: "write it twice")
        }
        _ = scanner.next()
        _ = scanner.next()
        return true
    }

    private mutating func unary(depth: Int) throws(QueryError) -> Expression {
        scanner.skipSpace()
        guard scanner.peek() == "!", scanner.peek(1) != "=" else {
            return try primary(depth: depth)
        }
        _ = scanner.next()
        scanner.skipSpace()
        guard scanner.peek() != "!" else {
            throw failure(
                "an opening parenthesis or a comparison after '!'",
                hint: "two negations cancel out; leave both away")
        }
        return .not(try primary(depth: depth))
    }

    private mutating func primary(depth: Int) throws(QueryError) -> Expression {
        guard scanner.peek() == "(" else { return try predicate() }
        guard depth < options.limits.depth else {
            throw failure(
                "at most \(options.limits.depth) nested parentheses", found: "one more",
                hint: "the limit is queryDepth; leave away parentheses that group nothing")
        }
        let opening = scanner.offset
        _ = scanner.next()
        let inner = try alternatives(depth: depth + 1)
        guard scanner.take(")") else {
            guard !scanner.isAtEnd else {
                throw failure(
                    "')'", hint: "the parenthesis at offset \(opening) is never closed")
            }
            throw unexpectedAfterPredicate(isInParentheses: true)
        }
        return inner
    }

    /// Something other than a connector follows a predicate.
    private func unexpectedAfterPredicate(isInParentheses: Bool) -> QueryError {
        let expected = isInParentheses ? "'&&', '||' or ')'" : "'&&', '||' or the end of the query"
        let word = scanner.run(while: QueryScanner.isNameCharacter)
        let hint: String? =
            switch word.lowercased() {
            case "and": "write && for and"
            case "or": "write || for or"
            case "not": "write && ! for and not"
            case "": scanner.peek() == ")" ? "there is no '(' for it" : nil
            default: "put quotes around text that has spaces, and && or || between comparisons"
            }
        return failure(expected, hint: hint)
    }

    // What the other rules use.

    /// An error at the next scalar.
    func failure(
        _ expected: String, found: String? = nil, at offset: Int? = nil, hint: String? = nil
    ) -> QueryError {
        QueryError(
            offset: offset ?? scanner.offset, expected: expected,
            found: found ?? scanner.describeNext(), hint: hint)
    }

    mutating func warn(_ message: String, at offset: Int) {
        warnings.append(QueryWarning(offset: offset, message: message))
    }

    /// Counts `count` predicates that begin at `offset` against the limit.
    mutating func countPredicates(_ count: Int = 1, at offset: Int) throws(QueryError) {
        predicateCount += count
        guard predicateCount <= options.limits.predicates else {
            throw failure(
                "at most \(options.limits.predicates) predicates", found: "more", at: offset,
                hint: "the limit is queryPredicates; each token of a t pattern counts as one")
        }
    }
}
