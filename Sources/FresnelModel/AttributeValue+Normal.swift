extension AttributeValue {
    /// The type the value has by itself; localised texts are strings.
    public var type: AttributeType {
        switch self {
        case .string, .localized: .string
        case .strings: .strings
        case .number: .number
        case .boolean: .boolean
        case .numbers: .numbers
        case .date: .date
        case .dates: .dates
        case .bytes: .bytes
        case .byteStrings: .byteStrings
        case .persons: .persons
        case .dictionary: .dictionary
        }
    }

    /// How many elements the value has; 1 for single values.
    public var elementCount: Int {
        switch self {
        case .string, .number, .boolean, .date, .bytes, .localized: 1
        case .strings(let elements): elements.count
        case .numbers(let elements): elements.count
        case .dates(let elements): elements.count
        case .byteStrings(let elements): elements.count
        case .persons(let elements): elements.count
        case .dictionary(let lists): lists.reduce(0) { $0 + $1.value.count }
        }
    }

    /// Whether the value can stand in an attribute of this type.
    ///
    /// A single value fits where several are allowed; it becomes a list of one.
    public func fits(_ type: AttributeType) -> Bool {
        switch type {
        case .string, .strings, .numbers, .date, .dates, .bytes, .byteStrings, .persons,
            .dictionary:
            self.type == type || self.type.multiValued == type && !isLocalized
        case .number: self.type == .number || self.type == .boolean
        case .boolean: self.type == .boolean || self == .number(0) || self == .number(1)
        case .url: self.type == .string && !isLocalized
        }
    }

    /// The value as it is stored, or nil when it is empty and therefore absent.
    ///
    /// Empty elements go; a single value becomes a list of one where the type is a list; −0 is 0,
    /// and so is false.
    public func normalised(for type: AttributeType) -> AttributeValue? {
        switch self {
        case .string(let text):
            guard !text.isEmpty else { return nil }
            return type == .strings ? .strings([text]) : self
        case .number(let number):
            return type == .numbers ? .numbers([number + 0]) : .number(number + 0)
        case .boolean(let truth): return AttributeValue.number(truth).normalised(for: type)
        case .date(let date): return type == .dates ? .dates([date]) : self
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return nil }
            return type == .byteStrings ? .byteStrings([bytes]) : self
        case .localized(let text): return text.normalised.map { .localized($0) }
        case .strings, .numbers, .dates, .byteStrings, .persons, .dictionary:
            return withoutEmptyElements
        }
    }

    /// Whether the value is stored as it is: `normalised(for:)` would change nothing.
    public func isNormal(for type: AttributeType) -> Bool {
        switch self {
        case .string(let text): !text.isEmpty && type != .strings
        case .number(let number): type != .numbers && !number.isNegativeZero
        case .boolean: false
        case .date: type != .dates
        case .bytes(let bytes): !bytes.isEmpty && type != .byteStrings
        case .strings(let texts): !texts.isEmpty && texts.allSatisfy { !$0.isEmpty }
        case .numbers(let numbers):
            !numbers.isEmpty && !numbers.contains(where: \.isNegativeZero)
        case .dates(let dates): !dates.isEmpty
        case .byteStrings(let strings): !strings.isEmpty && strings.allSatisfy { !$0.isEmpty }
        case .localized, .persons, .dictionary: normalised(for: type) == self
        }
    }

    private var withoutEmptyElements: AttributeValue? {
        let value: AttributeValue =
            switch self {
            case .strings(let elements): .strings(elements.filter { !$0.isEmpty })
            case .numbers(let elements): .numbers(elements.map { $0 + 0 })
            case .byteStrings(let elements): .byteStrings(elements.filter { !$0.isEmpty })
            case .persons(let elements): .persons(elements.compactMap(\.normalised))
            case .dictionary(let lists): .dictionary(lists.filter { !$0.value.isEmpty })
            case .string, .number, .boolean, .date, .dates, .bytes, .localized: self
            }
        return value.elementCount == 0 ? nil : value
    }

    /// 1 or 0.
    package static func number(_ truth: Bool) -> AttributeValue { .number(truth ? 1 : 0) }

    private var isLocalized: Bool {
        if case .localized = self { true } else { false }
    }
}

extension Double {
    fileprivate var isNegativeZero: Bool { self == 0 && sign == .minus }
}

extension Person {
    /// The person without empty fields, or nil when nothing is left.
    public var normalised: Person? {
        func filled(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }
        let person = Person(
            displayName: filled(displayName), handles: handles.filter { !$0.isEmpty },
            handleIdentifier: filled(handleIdentifier),
            contactIdentifier: filled(contactIdentifier))
        let isEmpty =
            person.displayName == nil && person.handles.isEmpty && person.contactIdentifier == nil
        return isEmpty ? nil : person
    }
}

extension LocalizedString {
    /// The text without empty variants, or nil when nothing is left.
    public var normalised: LocalizedString? {
        let variants = variants.filter { !$0.value.isEmpty }
        if defaultText.isEmpty && variants.isEmpty { return nil }
        return LocalizedString(defaultText: defaultText, variants: variants)
    }
}
