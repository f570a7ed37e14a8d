// operand = string | number | time | bareword; modifiers = mod {mod}; bracket = "[" {mod} "]"

extension QueryGrammar {
    mutating func operand(after attribute: AttributeMeaning) throws(QueryError) -> WrittenOperand {
        guard let next = scanner.peek() else { throw missingValue(after: attribute) }
        switch next {
        case "\"", "'": return .text(try string())
        case "$": return .time(try time())
        default: break
        }
        if let number = try number() { return .number(number) }
        let text = bareword()
        guard !text.pieces.isEmpty else { throw missingValue(after: attribute) }
        return .text(text)
    }

    /// Reads a number if the next word is one.
    private mutating func number() throws(QueryError) -> Double? {
        guard let first = scanner.peek(), NumberLiteral.mayBegin(with: first) else { return nil }
        let (start, offset) = (scanner.position, scanner.offset)
        let word = scanner.takeRun(while: QueryScanner.isBarewordCharacter)
        guard NumberLiteral.isNumber(word) else {
            scanner.rewind(to: start)
            return nil
        }
        guard let number = Double(word), number.isFinite else {
            scanner.rewind(to: start)
            throw failure(
                "a number up to 1.7e308", at: offset, hint: "numbers are 64-bit floating point")
        }
        return number
    }

    private func missingValue(after attribute: AttributeMeaning) -> QueryError {
        let hint: String? =
            switch scanner.peek() {
            case "“", "”", "‘", "’": "only straight quotes delimit text: \" or '"
            case "=": "did you mean =="
            case "(", "[", "{": "there are no lists; combine comparisons with ||"
            case nil, ")", "&", "|":
                attribute.isUnknown
                    ? nil : "to ask whether it has a value write \(attribute.spelling) == \"*\""
            default: "put quotes around the text"
            }
        return failure("a value: a string, a number or a $time form", hint: hint)
    }

    private mutating func bareword() -> WrittenText {
        var text = WrittenText(isQuoted: false)
        let word = scanner.takeRun(while: QueryScanner.isBarewordCharacter)
        for scalar in word.unicodeScalars { text.append(scalar) }
        text.endLiteral()
        return text
    }

    private mutating func string() throws(QueryError) -> WrittenText {
        let opening = scanner.offset
        var text = WrittenText(isQuoted: true)
        guard let quote = scanner.next() else { return text }
        while true {
            let plain = scanner.takeRun {
                $0 != quote && $0 != "\\" && $0 != "*" && $0 != "?"
            }
            if !plain.isEmpty { text.append(literal: plain) }
            guard let scalar = scanner.next() else { break }
            if scalar == quote {
                text.endLiteral()
                return text
            }
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            guard let escaped = scanner.next() else {
                throw failure(
                    "a character after '\\'", at: scanner.offset - 1,
                    hint: "a backslash makes the next character literal; write \\\\ for one")
            }
            text.append(literal: escaped)
        }
        throw failure(
            "a closing \(quote)", at: opening,
            hint: "the string that begins here is never closed; inside it write \\\(quote)")
    }

    /// Reads `[cdw]` if it is next.
    mutating func bracket(into modifiers: inout WrittenModifiers) throws(QueryError) {
        scanner.skipSpace()
        guard scanner.take("[") else { return }
        while let letter = scanner.peek(), letter != "]" {
            guard modifiers.insert(letter) else { throw unknownModifier(letter) }
            _ = scanner.next()
        }
        guard scanner.take("]") else {
            throw failure("']' after the modifiers", hint: "for example ==[cd]")
        }
    }

    /// Reads the modifiers behind a value: at once after a quote, or after white space.
    mutating func trailing(into modifiers: inout WrittenModifiers) throws(QueryError) {
        var adjoins = true
        while true {
            let before = scanner.position
            if scanner.skipSpace() { adjoins = false }
            guard isName(scanner.peek()) else { return }
            guard adjoins || canBeModifiers(scanner.run(while: QueryScanner.isNameCharacter))
            else {
                scanner.rewind(to: before)
                return
            }
            while let letter = scanner.peek(), QueryScanner.isNameCharacter(letter) {
                guard modifiers.insert(letter) else { throw unknownModifier(letter) }
                _ = scanner.next()
            }
        }
    }

    private func isName(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map(QueryScanner.isNameCharacter) ?? false
    }

    /// Whether a word behind a value and white space was meant as modifiers.
    private func canBeModifiers(_ word: String) -> Bool {
        var trial = WrittenModifiers()
        let letters = word.unicodeScalars
        if letters.allSatisfy({ trial.insert($0) }) { return true }
        return letters.count <= 2 && word.lowercased() != "or"
    }

    private func unknownModifier(_ letter: Unicode.Scalar) -> QueryError {
        var trial = WrittenModifiers()
        let lower = letter.properties.lowercaseMapping
        let isUpperCase = lower.unicodeScalars.first.map { trial.insert($0) } ?? false
        return failure(
            "a modifier: c, d, w or t",
            found: "'\(QueryScanner.printable(String(Character(letter))))'",
            hint: isUpperCase
                ? "did you mean \(lower); modifiers are lower case"
                : "c ignores case, d ignores accents, w matches words, t matches each word")
    }
}
