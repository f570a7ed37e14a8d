import FresnelJSON

/// Reads the details of an activity.
enum JSONActivityDecoder {
    private static let keys: Set<String> = [
        "activityType", "userInfo", "requiredUserInfoKeys", "webpageURL", "persistentIdentifier",
        "targetContentIdentifier",
    ]

    static func details(_ value: JSONValue) throws(ValueRefusal) -> ActivityDetails {
        do throws(ValueRefusal) {
            guard let object = value.object else {
                throw ValueRefusal("an activity is an object, not \(value.kindWithArticle)")
            }
            if let unknown = object.keys.first(where: { !keys.contains($0) }) {
                throw ValueRefusal(
                    "key \"\(unknown)\" is not known in an activity; known are "
                        + keys.sorted().joined(separator: ", "), at: [unknown])
            }
            guard let type = try text(object, "activityType"), !type.isEmpty else {
                throw ValueRefusal("an activity needs an activityType", at: ["activityType"])
            }
            var details = ActivityDetails(activityType: type)
            details.userInfo = try userInformation(object)
            details.requiredUserInfoKeys = try requiredKeys(object)
            details.webpageURL = try text(object, "webpageURL")
            details.persistentIdentifier = try text(object, "persistentIdentifier")
            details.targetContentIdentifier = try text(object, "targetContentIdentifier")
            return details
        } catch {
            throw error.under("activity")
        }
    }

    /// The state to restore, kept as the text of a JSON object.
    private static func userInformation(_ object: JSONObject) throws(ValueRefusal) -> String? {
        guard let value = object["userInfo"], !value.isNull else { return nil }
        guard value.object != nil else {
            throw ValueRefusal(
                "userInfo is an object, not \(value.kindWithArticle)", at: ["userInfo"])
        }
        return value.serialized(sortedKeys: true)
    }

    private static func requiredKeys(_ object: JSONObject) throws(ValueRefusal) -> [String] {
        guard let value = object["requiredUserInfoKeys"], !value.isNull else { return [] }
        let keys = value.array?.compactMap(\.string)
        guard let keys, keys.count == value.array?.count else {
            throw ValueRefusal(
                "requiredUserInfoKeys is a list of strings", at: ["requiredUserInfoKeys"])
        }
        return keys
    }

    private static func text(
        _ object: JSONObject, _ key: String
    ) throws(ValueRefusal) -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let text = value.string else {
            throw ValueRefusal("\(key) is a string, not \(value.kindWithArticle)", at: [key])
        }
        return text
    }
}
