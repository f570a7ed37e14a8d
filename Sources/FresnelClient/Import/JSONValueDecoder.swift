import FresnelJSON

// The types of known attributes are fixed, those of custom ones are declared or
// follow from the JSON value. Null, "" and [] mean absent. A string that looks like a date stays a
// string unless the attribute is a date.

/// Turns JSON values into attribute values.
enum JSONValueDecoder {
    /// The value; nil when it means "absent".
    ///
    /// - Parameter type: of a known or declared attribute; nil lets the value decide.
    static func value(
        _ value: JSONValue, of name: String, as type: AttributeType?
    ) throws(ValueRefusal) -> AttributeValue? {
        if value.isNull { return nil }
        var decided = type
        if decided == nil { decided = try inferredType(of: value, name) }
        guard let type = decided else { return nil }
        let elements = value.array
        if let elements, !type.isMultiValued {
            throw ValueRefusal("\(name) takes one \(type), not a list of \(elements.count)")
        }
        let values = (elements ?? [value]).filter { !$0.isNull }
        let found = try typed(values, of: name, as: type)
        // What is true or false makes its key a Boolean one, should it be the first to have it.
        return type == .boolean ? found : found?.normalised(for: type)
    }

    /// A point in time: ISO 8601 text, or seconds since 2001.
    static func date(_ value: JSONValue, of name: String) throws(ValueRefusal) -> Timestamp {
        if let text = value.string {
            guard let date = Timestamp(iso8601: text) else {
                throw ValueRefusal(
                    "\(name) is \"\(text)\", which is no date; write 2026-11-18T09:00:00Z")
            }
            return date
        }
        guard let date = value.double.flatMap({ Timestamp(seconds: $0) }) else {
            throw ValueRefusal(
                """
                \(name) is a date: a string in ISO 8601 or seconds since 2001, \
                not \(value.kindWithArticle)
                """)
        }
        return date
    }

    private static func typed(
        _ values: [JSONValue], of name: String, as type: AttributeType
    ) throws(ValueRefusal) -> AttributeValue? {
        guard let first = values.first else { return nil }
        switch type {
        case .string, .url:
            guard first.object != nil, type == .string else {
                return .string(try text(first, name))
            }
            return .localized(try localized(first, name))
        case .strings:
            return .strings(try map(values) { v throws(ValueRefusal) in try text(v, name) })
        case .number: return .number(try number(first, name))
        case .numbers:
            return .numbers(try map(values) { v throws(ValueRefusal) in try number(v, name) })
        case .boolean: return try truth(first, name)
        case .date: return .date(try date(first, of: name))
        case .dates:
            return .dates(try map(values) { v throws(ValueRefusal) in try date(v, of: name) })
        case .bytes: return .bytes(try bytes(first, name))
        case .byteStrings:
            return .byteStrings(try map(values) { v throws(ValueRefusal) in try bytes(v, name) })
        case .persons:
            return .persons(
                try map(values) { v throws(ValueRefusal) in try JSONPersonDecoder.person(v, name) })
        case .dictionary: return .dictionary(try lists(first, name))
        }
    }

    /// The type of a custom attribute that nobody declared; nil for an empty list.
    private static func inferredType(
        of value: JSONValue, _ name: String
    ) throws(ValueRefusal) -> AttributeType? {
        switch value {
        case .null: return nil
        case .bool: return .boolean
        case .integer, .number: return .number
        case .string: return .string
        case .object(let object):
            if JSONPersonDecoder.looksLikePerson(object) { return .persons }
            if object["default"] != nil { return .string }
            throw ValueRefusal(
                """
                \(name) is an object; a person has a displayName or handles, a localised text a \
                "default"
                """)
        case .array(let elements):
            var type: AttributeType?
            for element in elements {
                guard element.array == nil else {
                    throw ValueRefusal("\(name) has a list inside a list; lists hold values only")
                }
                guard let found = try inferredType(of: element, name)?.multiValued else { continue }
                guard type == nil || type == found else {
                    throw ValueRefusal("\(name) mixes kinds of values in one list; use one kind")
                }
                type = found
            }
            return type
        }
    }

    private static func map<Value>(
        _ values: [JSONValue], _ convert: (JSONValue) throws(ValueRefusal) -> Value
    ) throws(ValueRefusal) -> [Value] {
        var converted: [Value] = []
        converted.reserveCapacity(values.count)
        for value in values { converted.append(try convert(value)) }
        return converted
    }
}

extension JSONValueDecoder {
    private static func text(_ value: JSONValue, _ name: String) throws(ValueRefusal) -> String {
        guard let text = value.string else {
            throw ValueRefusal("\(name) takes a string, not \(value.kindWithArticle)")
        }
        return text
    }

    private static func number(_ value: JSONValue, _ name: String) throws(ValueRefusal) -> Double {
        if let truth = value.bool { return truth ? 1 : 0 }
        guard let number = value.double else {
            throw ValueRefusal("\(name) takes a number, not \(value.kindWithArticle)")
        }
        return number
    }

    /// True, false, 1 or 0; a key of the index takes other numbers, too.
    private static func truth(
        _ value: JSONValue, _ name: String
    ) throws(ValueRefusal) -> AttributeValue {
        let number = try number(value, name)
        if number == 0 || number == 1 { return .boolean(number == 1) }
        guard AttributeTable.definition(named: name) == nil else {
            throw ValueRefusal("\(name) takes true, false, 1 or 0")
        }
        return .number(number)
    }

    private static func bytes(_ value: JSONValue, _ name: String) throws(ValueRefusal) -> [UInt8] {
        guard let bytes = value.string.flatMap({ Base64.decode($0) }) else {
            throw ValueRefusal("\(name) takes bytes as a string in Base64")
        }
        return bytes
    }

    /// `{"default": …, "de": …}` or `{"default": …, "variants": {"de": …}}`.
    private static func localized(
        _ value: JSONValue, _ name: String
    ) throws(ValueRefusal) -> LocalizedString {
        var localized = LocalizedString(defaultText: "", variants: [:])
        for (key, value) in value.object ?? JSONObject() {
            if key == "variants", let variants = value.object {
                for (language, text) in variants {
                    localized.variants[language] = try self.text(text, name)
                }
            } else if key == "default" {
                localized.defaultText = try text(value, name)
            } else {
                localized.variants[key] = try text(value, name)
            }
        }
        return localized
    }

    private static func lists(
        _ value: JSONValue, _ name: String
    ) throws(ValueRefusal) -> [String: [String]] {
        guard let object = value.object else {
            throw ValueRefusal(
                "\(name) takes an object of lists of strings, not \(value.kindWithArticle)")
        }
        var lists: [String: [String]] = [:]
        for (key, value) in object {
            lists[key] = try map(value.array ?? [value]) { element throws(ValueRefusal) in
                try text(element, name)
            }
        }
        return lists
    }
}
