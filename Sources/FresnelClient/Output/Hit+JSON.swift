package import FresnelJSON

extension Hit {
    /// The hit as one line of the command line's NDJSON.
    package var json: JSONValue { .object(object) }

    /// The hit inside a change: that names the index beside it, and most changes have no score.
    var jsonOfChange: JSONValue {
        var object = object
        object["index"] = nil
        if score == nil { object["score"] = nil }
        return .object(object)
    }

    private var object: JSONObject {
        var object = JSONObject()
        object["uniqueIdentifier"] = .string(uniqueIdentifier)
        object["index"] = .string(index.text)
        object["kind"] = .string(kind.rawValue)
        object["score"] = score.map { .number($0) } ?? .null
        object["attributes"] = attributes.json
        object["explanation"] = explanation?.json
        object["highlights"] = highlights.map { .array($0.map(\.json)) }
        return object
    }

    /// The hit as compact JSON text.
    public var jsonText: String { json.serialized() }
}

extension StoredDocument {
    /// The document as compact JSON text, as the importer reads it, with its index and when it
    /// expires: null for never.
    package var jsonText: String {
        var object = document.jsonObject
        object["index"] = .string(index.text)
        switch expiration {
        case nil: break
        case .never?: object["expires"] = .null
        case .at(let time)?: object["expires"] = time.json
        }
        return JSONValue.object(object).serialized()
    }
}

extension Document {
    /// The document as JSON: what the importer reads.
    package var json: JSONValue { .object(jsonObject) }

    fileprivate var jsonObject: JSONObject {
        var object = JSONObject()
        object["uniqueIdentifier"] = .string(uniqueIdentifier)
        object["domainIdentifier"] = domainIdentifier.map { .string($0) }
        object["kind"] = .string(kind.rawValue)
        object["expirationDate"] = expirationDate?.json
        object["attributes"] = attributes.json
        object["activity"] = activity?.json
        return object
    }

    /// The document as compact JSON text, as the importer reads it.
    public var jsonText: String { json.serialized() }
}

extension AttributeMap<AttributeValue> {
    /// The attributes in order of name.
    fileprivate var json: JSONValue {
        var object = JSONObject()
        for (name, value) in sorted(by: { $0.key < $1.key }) { object[name] = value.json }
        return .object(object)
    }
}

extension ActivityDetails {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["activityType"] = .string(activityType)
        object["userInfo"] = userInfo.map { text in
            // Opaque to the cluster, so it may be no JSON at all; then it stays the text it is.
            do { return try JSONValue(parsing: text) } catch { return .string(text) }
        }
        if !requiredUserInfoKeys.isEmpty {
            object["requiredUserInfoKeys"] = .array(requiredUserInfoKeys.map { .string($0) })
        }
        object["webpageURL"] = webpageURL.map { .string($0) }
        object["persistentIdentifier"] = persistentIdentifier.map { .string($0) }
        object["targetContentIdentifier"] = targetContentIdentifier.map { .string($0) }
        return .object(object)
    }
}
