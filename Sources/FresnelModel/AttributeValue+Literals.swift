// Values are written in a program as what they are: ["title": "Apple", "rating": 5].

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// One text.
    public init(stringLiteral text: String) { self = .string(text) }
}

extension AttributeValue: ExpressibleByFloatLiteral {
    /// One number.
    public init(floatLiteral number: Double) { self = .number(number) }
}

extension AttributeValue: ExpressibleByIntegerLiteral {
    /// One number; it has 64 bits of floating point, like every number of a document.
    public init(integerLiteral number: Int64) { self = .number(Double(number)) }
}

extension AttributeValue: ExpressibleByBooleanLiteral {
    /// True or false.
    public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}

extension AttributeValue: ExpressibleByArrayLiteral {
    /// Several texts, numbers, dates or byte strings, or several people.
    ///
    /// - Precondition: all are of one type; a list that is written in a program is never mixed by
    ///   what comes from outside.
    public init(arrayLiteral elements: AttributeValue...) {
        guard let list = AttributeValue(list: elements) else {
            preconditionFailure("a list has values of one type, not \(elements)")
        }
        self = list
    }

    /// Several values as one; nil when they are of different types, or lists already.
    package init?(list elements: [AttributeValue]) {
        func all<Element>(_ read: (AttributeValue) -> Element?) -> [Element]? {
            let values = elements.compactMap(read)
            return values.count == elements.count ? values : nil
        }
        let list: AttributeValue? =
            switch elements.first {
            case nil: .strings([])
            case .string:
                all { if case .string(let one) = $0 { one } else { nil } }.map(Self.strings)
            case .number:
                all { if case .number(let one) = $0 { one } else { nil } }.map(Self.numbers)
            // Truths in a list are numbers, as in JSON that is imported.
            case .boolean:
                all { if case .boolean(let one) = $0 { one ? 1 : 0 } else { nil } }
                    .map(Self.numbers)
            case .date: all { if case .date(let one) = $0 { one } else { nil } }.map(Self.dates)
            case .bytes:
                all { if case .bytes(let one) = $0 { one } else { nil } }.map(Self.byteStrings)
            case .persons:
                all { if case .persons(let some) = $0 { some } else { nil } }
                    .map { .persons($0.flatMap(\.self)) }
            case .strings, .numbers, .dates, .byteStrings, .localized, .dictionary: nil
            }
        guard let list else { return nil }
        self = list
    }
}
