// comparison = attribute [bracket] operator [bracket] operand [modifiers];
// range = "InRange" "(" name "," point "," point ")"

extension QueryGrammar {
    /// A comparison, an `InRange`, `true` or `false`.
    mutating func predicate() throws(QueryError) -> Expression {
        let start = scanner.offset
        if scanner.peek() == "*" {
            _ = scanner.next()
            let both = scanner.take("*")
            return try comparison(
                with: .wildcard(both ? .searchableAndContent : .searchable), at: start)
        }
        guard let first = scanner.peek(), QueryScanner.isNameStart(first) else {
            throw missingAttribute()
        }
        let name = scanner.takeName()
        let afterName = scanner.position
        scanner.skipSpace()
        switch name {
        case "InRange", "inRange":
            if scanner.take("(") { return try range(at: start) }
        case "true", "false":
            if !operatorFollows { return .constant(name == "true") }
        default:
            break
        }
        scanner.rewind(to: afterName)
        let meaning = AttributeMeaning(name, schema: options.schema)
        return try comparison(with: meaning, at: start)
    }

    private var operatorFollows: Bool {
        guard let next = scanner.peek() else { return false }
        return QueryScanner.isOperatorCharacter(next) || next == "["
    }

    private func missingAttribute() -> QueryError {
        guard let next = scanner.peek() else {
            return failure("a comparison", hint: "a comparison is: attribute operator value")
        }
        let hint: String? =
            switch next {
            case "\"", "'", "$", "0"..."9", "+", "-":
                "the attribute stands on the left: title == \"Apple\""
            case ")": "something is missing before the parenthesis"
            case "&", "|": "something is missing before the operator"
            case "=", "<", ">", "!", "~": "the attribute is missing: title == \"Apple\""
            case "“", "”", "‘", "’": "only straight quotes delimit text: \" or '"
            default:
                next.value >= 0x80
                    ? "attribute names are ASCII letters, digits and _, with . between them" : nil
            }
        return failure("an attribute name, '*', '**' or '('", hint: hint)
    }

    private mutating func comparison(
        with attribute: AttributeMeaning, at start: Int
    ) throws(QueryError) -> Expression {
        var modifiers = WrittenModifiers()
        try bracket(into: &modifiers)
        let written = try comparisonOperator(after: attribute)
        try bracket(into: &modifiers)
        scanner.skipSpace()
        let operandOffset = scanner.offset
        let operand = try operand(after: attribute)
        try trailing(into: &modifiers)
        let side = LeftSide(meaning: attribute, offset: start, isNegated: written.isNegated)
        let expression = try typed(
            side, written, RightSide(operand: operand, modifiers: modifiers, offset: operandOffset))
        return written.isNegated ? .not(expression) : expression
    }

    /// Reads an operator; everything that other languages write there gets a hint.
    private mutating func comparisonOperator(
        after attribute: AttributeMeaning
    ) throws(QueryError) -> WrittenOperator {
        scanner.skipSpace()
        let offset = scanner.offset
        if takeEquals() { return WrittenOperator(order: .equal, isNegated: false, offset: offset) }
        let run = scanner.run(while: QueryScanner.isOperatorCharacter)
        let order: OrderOperator
        switch run {
        case "==", "=", "!=": order = .equal
        case "<": order = .less
        case "<=": order = .lessOrEqual
        case ">": order = .greater
        case ">=": order = .greaterOrEqual
        default: throw unknownOperator(run, after: attribute)
        }
        scanner.skipRun(while: QueryScanner.isOperatorCharacter)
        return WrittenOperator(order: order, isNegated: run == "!=", offset: offset)
    }

    /// Reads `==`, as most comparisons have it, if it is next and no longer operator.
    private mutating func takeEquals() -> Bool {
        guard scanner.peek() == "=", scanner.peek(1) == "=",
            !(scanner.peek(2).map(QueryScanner.isOperatorCharacter) ?? false)
        else { return false }
        _ = scanner.next()
        _ = scanner.next()
        return true
    }

    private func unknownOperator(_ run: String, after attribute: AttributeMeaning) -> QueryError {
        let expected = "one of ==, !=, <, <=, >, >= after '\(attribute.spelling)'"
        let word = scanner.run(while: QueryScanner.isNameCharacter)
        let hint: String? =
            switch run.isEmpty ? word.uppercased() : run {
            case "=>": "did you mean >="
            case "=<": "did you mean <="
            case "<>", "!==", "!": "did you mean !="
            case "===": "did you mean =="
            case "~", "=~", "~=", "!~", "MATCHES", "LIKE":
                "did you mean == with the wildcards * and ?; there are no regular expressions"
            case "CONTAINS": "did you mean == \"*text*\""
            case "BEGINSWITH": "did you mean == \"text*\""
            case "ENDSWITH": "did you mean == \"*text\""
            case "IN", "BETWEEN": "did you mean InRange(\(attribute.spelling), low, high)"
            case "IS", "EQUALS": "did you mean =="
            case "": hintForMissingOperator(after: attribute)
            default: nil
            }
        guard run.isEmpty else { return failure(expected, found: "'\(run)'", hint: hint) }
        return failure(expected, hint: hint)
    }

    private func hintForMissingOperator(after attribute: AttributeMeaning) -> String? {
        switch scanner.peek() {
        case nil, "&", "|", ")":
            "to find the word write ** == \"\(attribute.spelling)\"cdw; "
                + "to ask whether it is there, \(attribute.spelling) == \"*\""
        case ".", "-", ":": "attribute names are ASCII letters, digits and _, with . between them"
        default: nil
        }
    }

    /// `InRange` after its opening parenthesis.
    private mutating func range(at start: Int) throws(QueryError) -> Expression {
        scanner.skipSpace()
        let attributeOffset = scanner.offset
        guard let first = scanner.peek(), QueryScanner.isNameStart(first) else {
            let hint = scanner.peek() == "*" ? "InRange needs one attribute, not a wildcard" : nil
            throw failure("an attribute name", hint: hint)
        }
        let name = scanner.takeName()
        let meaning = AttributeMeaning(name, schema: options.schema)
        try punctuation(",", after: "the attribute of InRange")
        let lower = try point()
        try punctuation(",", after: "the lower bound")
        let upper = try point()
        try punctuation(")", after: "the upper bound")
        return try typedRange(
            LeftSide(meaning: meaning, offset: attributeOffset), lower, upper, at: start)
    }

    private mutating func punctuation(
        _ mark: Unicode.Scalar, after what: String
    ) throws(QueryError) {
        scanner.skipSpace()
        guard scanner.take(mark) else {
            throw failure(
                "'\(mark)' after \(what)", hint: "a range is: InRange(rating, 3, 5)")
        }
    }

    private mutating func point() throws(QueryError) -> RangePoint {
        scanner.skipSpace()
        let offset = scanner.offset
        let start = scanner.position
        switch try operand(after: .unknown("InRange")) {
        case .number(let number): return .number(number)
        case .time(let time): return .time(time)
        case .text(let text):
            scanner.rewind(to: start)
            throw failure(
                "a number or a $time form as bound of InRange", found: text.description,
                at: offset, hint: text.hintForOrder(attribute: nil))
        }
    }
}
