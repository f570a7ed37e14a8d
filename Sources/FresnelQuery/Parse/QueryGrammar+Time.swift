// time = "$time." name ["(" [offset | iso-date | quoted iso-date] ")"]

import FresnelModel

/// A name behind `$time.`: its base and the shift it already contains.
private struct TimeName {
    let base: TimeExpression.Base
    let shift: Int
    let unit: TimeExpression.Unit

    static let all: [String: TimeName] = [
        "now": TimeName(base: .now, shift: 0, unit: .second),
        "today": TimeName(base: .day, shift: 0, unit: .day),
        "yesterday": TimeName(base: .day, shift: -1, unit: .day),
        "tomorrow": TimeName(base: .day, shift: 1, unit: .day),
        "this_week": TimeName(base: .week, shift: 0, unit: .week),
        "last_week": TimeName(base: .week, shift: -1, unit: .week),
        "next_week": TimeName(base: .week, shift: 1, unit: .week),
        "this_month": TimeName(base: .month, shift: 0, unit: .month),
        "next_month": TimeName(base: .month, shift: 1, unit: .month),
        "this_year": TimeName(base: .year, shift: 0, unit: .year),
        "next_year": TimeName(base: .year, shift: 1, unit: .year),
    ]
}

extension QueryGrammar {
    /// Offsets beyond this, in any unit, lead out of every calendar.
    private static var largestOffset: Int { 1_000_000_000_000 }

    mutating func time() throws(QueryError) -> TimeExpression {
        let start = scanner.offset
        _ = scanner.next()
        let word = scanner.takeRun(while: QueryScanner.isNameCharacter)
        guard word == "time", scanner.take(".") else {
            throw failure(
                "$time.", found: "'$\(QueryScanner.printable(word))'", at: start,
                hint: "for example $time.today(-7)")
        }
        let nameOffset = scanner.offset
        let name = scanner.takeRun(while: QueryScanner.isNameCharacter)
        if name == "iso" { return try isoDate(at: start) }
        guard let meaning = TimeName.all[name] else {
            throw unknownTime(name, at: nameOffset)
        }
        guard let written = try offset(for: name, meaning) else {
            return TimeExpression(base: meaning.base, offset: meaning.shift, unit: meaning.unit)
        }
        return TimeExpression(
            base: meaning.base, offset: meaning.shift + written.count, unit: written.unit)
    }

    private func unknownTime(_ name: String, at offset: Int) -> QueryError {
        let names = TimeName.all.keys.sorted() + ["iso"]
        let near = NearestName.find(name, among: names)
        return failure(
            "a name after $time.", found: name.isEmpty ? nil : "'\(QueryScanner.printable(name))'",
            at: offset,
            hint: near.map { "did you mean $time.\($0)" }
                ?? "the names are \(names.joined(separator: ", "))")
    }

    /// Reads `(±N unit)` if it is next; nil when there is none or it is empty.
    private mutating func offset(
        for name: String, _ meaning: TimeName
    ) throws(QueryError) -> (count: Int, unit: TimeExpression.Unit)? {
        guard scanner.take("(") else { return nil }
        scanner.skipSpace()
        if scanner.take(")") { return nil }
        let start = scanner.offset
        var isNegative = false
        if scanner.take("-") { isNegative = true } else { _ = scanner.take("+") }
        let digits = scanner.takeRun(while: QueryScanner.isDigit)
        guard !digits.isEmpty else {
            throw failure("a whole number, or ')'", hint: "for example $time.\(name)(-3)")
        }
        guard let size = Int(digits), size <= Self.largestOffset else {
            throw failure(
                "an offset of at most \(Self.largestOffset)", found: "more", at: start,
                hint: "the date would lie in no calendar")
        }
        let unit = try offsetUnit(for: name, meaning)
        scanner.skipSpace()
        guard scanner.take(")") else {
            throw failure("')' after the offset", hint: "for example $time.\(name)(-3)")
        }
        return (isNegative ? -size : size, unit)
    }

    private mutating func offsetUnit(
        for name: String, _ meaning: TimeName
    ) throws(QueryError) -> TimeExpression.Unit {
        let offset = scanner.offset
        let letters = scanner.run(while: QueryScanner.isNameCharacter)
        guard !letters.isEmpty else { return meaning.unit }
        guard let unit = TimeExpression.Unit(rawValue: letters) else {
            throw failure(
                "a unit: s, m, h, d, w, M or y", hint: "m is minutes, M is months")
        }
        guard unit == meaning.unit || meaning.shift == 0 else {
            throw failure(
                "no unit or \(meaning.unit.rawValue) after $time.\(name)",
                hint: "other units go with $time.\(TimeExpression.name(of: meaning.base))")
        }
        if unit == .minute, meaning.base != .now {
            warn("m means minutes; months are M", at: offset)
        }
        _ = scanner.takeRun(while: QueryScanner.isNameCharacter)
        return unit
    }

    /// `$time.iso` after its name.
    private mutating func isoDate(at start: Int) throws(QueryError) -> TimeExpression {
        let example = "for example $time.iso(2026-11-20) or $time.iso(2026-11-20T15:30:00Z)"
        guard scanner.take("(") else { throw failure("'(' after $time.iso", hint: example) }
        scanner.skipSpace()
        let offset = scanner.offset
        var quote: Unicode.Scalar?
        if scanner.take("\"") { quote = "\"" } else if scanner.take("'") { quote = "'" }
        let end = quote ?? ")"
        let text = scanner.takeRun { $0 != end && $0 != ")" && $0 != "\"" && $0 != "'" }
        let trimmed = quote == nil ? QueryScanner.withoutTrailingSpace(text) : text
        guard ISO8601(trimmed) != nil else {
            throw failure(
                "an ISO 8601 date", found: "'\(QueryScanner.printable(text))'", at: offset,
                hint: example)
        }
        if let quote {
            guard scanner.take(quote) else { throw failure("a closing \(quote)") }
            scanner.skipSpace()
        }
        guard scanner.take(")") else { throw failure("')' after the date", hint: example) }
        return TimeExpression(base: .iso(trimmed), unit: .second)
    }
}

extension QueryScanner {
    /// `text` up to its last scalar that is not white space.
    fileprivate static func withoutTrailingSpace(_ text: String) -> String {
        var scalars = text.unicodeScalars
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }
}
