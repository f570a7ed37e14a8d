package import FresnelJSON

extension AttributeValue {
    /// The value as JSON: dates in ISO 8601 and UTC, bytes in Base64, persons as objects.
    ///
    /// Reading it back as the attribute's type gives the same value, save for dates outside the
    /// years 1 to 9999, which are seconds since 2001.
    package var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .strings(let texts): .array(texts.map { .string($0) })
        case .number(let number): .number(number)
        case .boolean(let truth): .bool(truth)
        case .numbers(let numbers): .array(numbers.map { .number($0) })
        case .date(let date): date.json
        case .dates(let dates): .array(dates.map(\.json))
        case .bytes(let bytes): .string(Base64.encode(bytes))
        case .byteStrings(let strings): .array(strings.map { .string(Base64.encode($0)) })
        case .persons(let persons): .array(persons.map(\.json))
        case .localized(let text): text.json
        case .dictionary(let lists): Self.json(lists)
        }
    }

    private static func json(_ lists: [String: [String]]) -> JSONValue {
        var object = JSONObject()
        for (key, texts) in lists.sorted(by: { $0.key < $1.key }) {
            object[key] = .array(texts.map { .string($0) })
        }
        return .object(object)
    }
}

extension Timestamp {
    /// The instant as JSON: ISO 8601 in UTC, or seconds since 2001 where the calendar ends.
    package var json: JSONValue { iso8601.map { .string($0) } ?? .number(seconds) }
}

extension Person {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["displayName"] = displayName.map { .string($0) }
        if !handles.isEmpty { object["handles"] = .array(handles.map { .string($0) }) }
        object["handleIdentifier"] = handleIdentifier.map { .string($0) }
        object["contactIdentifier"] = contactIdentifier.map { .string($0) }
        return .object(object)
    }
}

extension LocalizedString {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["default"] = .string(defaultText)
        if !variants.isEmpty {
            var texts = JSONObject()
            for (language, text) in variants.sorted(by: { $0.key < $1.key }) {
                texts[language] = .string(text)
            }
            object["variants"] = .object(texts)
        }
        return .object(object)
    }
}
