import FresnelJSON

/// Reads persons: objects, or a name alone.
enum JSONPersonDecoder {
    static func looksLikePerson(_ object: JSONObject) -> Bool {
        ["displayName", "handles", "contactIdentifier"].contains { object[$0] != nil }
    }

    static func person(_ value: JSONValue, _ name: String) throws(ValueRefusal) -> Person {
        if let displayName = value.string { return Person(displayName: displayName) }
        guard let object = value.object else {
            throw ValueRefusal(
                "\(name) takes persons: objects or names, not \(value.kindWithArticle)")
        }
        var person = Person()
        for (key, value) in object where !value.isNull {
            switch key {
            case "displayName": person.displayName = try text(value, key, name)
            case "handleIdentifier": person.handleIdentifier = try text(value, key, name)
            case "contactIdentifier": person.contactIdentifier = try text(value, key, name)
            case "handles":
                for handle in value.array ?? [value] {
                    person.handles.append(try text(handle, key, name))
                }
            default:
                throw ValueRefusal(
                    """
                    \(name) has a person with the key "\(key)"; known are displayName, handles, \
                    handleIdentifier, contactIdentifier
                    """)
            }
        }
        return person
    }

    private static func text(
        _ value: JSONValue, _ key: String, _ name: String
    ) throws(ValueRefusal) -> String {
        guard let text = value.string else {
            throw ValueRefusal(
                "\(key) of a person in \(name) is a string, not \(value.kindWithArticle)")
        }
        return text
    }
}
