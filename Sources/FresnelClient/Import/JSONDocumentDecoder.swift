import FresnelJSON

/// Turns one JSON object into a document or, with `"isUpdate": true`, into a patch.
struct JSONDocumentDecoder {
    /// What `get` adds, `index` and `expires`, says where a document was, and means nothing here.
    private static let documentKeys: Set<String> = [
        "uniqueIdentifier", "domainIdentifier", "kind", "expirationDate", "attributes", "activity",
        "isUpdate", "index", "expires",
    ]
    private static let patchKeys: Set<String> = [
        "uniqueIdentifier", "domainIdentifier", "relatedUniqueIdentifier", "expirationDate",
        "attributes", "isUpdate",
    ]

    let schema: AttributeSchema
    /// Key of an attribute → attribute, as somebody chose it; see `ColumnMapping`.
    var told: [String: String] = [:]

    func record(_ value: JSONValue, line: Int) throws(ValueRefusal) -> ImportRecord {
        guard let object = value.object else {
            throw ValueRefusal("a document is an object, but this is \(value.kindWithArticle)")
        }
        switch object["isUpdate"] {
        case nil, .bool(false)?, .null?: return .document(try document(object), line: line)
        case .bool(true)?: return .patch(try patch(object), line: line)
        case let other?:
            throw ValueRefusal(
                "isUpdate is true or false, not \(other.kindWithArticle)", at: ["isUpdate"])
        }
    }

    private func document(_ object: JSONObject) throws(ValueRefusal) -> Document {
        try check(object, allowed: Self.documentKeys)
        var document = Document(uniqueIdentifier: try identifier(of: object))
        document.domainIdentifier = try text(object, "domainIdentifier")
        document.kind = try kind(of: object)
        document.expirationDate = try date(object, "expirationDate")
        for (key, value) in try attributes(of: object) {
            guard let (name, type) = try target(of: key) else { continue }
            let converted = try attribute(key, value, as: name, type)
            if let converted { document.attributes[name] = converted }
        }
        if let activity = object["activity"], !activity.isNull {
            guard document.kind == .activity else {
                throw ValueRefusal(
                    "a product has no activity; set \"kind\":\"activity\"", at: ["activity"])
            }
            document.activity = try JSONActivityDecoder.details(activity)
        }
        return document
    }

    private func patch(_ object: JSONObject) throws(ValueRefusal) -> DocumentPatch {
        try check(object, allowed: Self.patchKeys)
        var patch = DocumentPatch(uniqueIdentifier: try identifier(of: object))
        patch.relatedUniqueIdentifier = try text(object, "relatedUniqueIdentifier")
        if let domain = object["domainIdentifier"] {
            patch.domainIdentifier =
                domain.isNull ? .remove : try text(object, "domainIdentifier").map { .set($0) }
        }
        if let date = object["expirationDate"] {
            patch.expirationDate =
                date.isNull ? .remove : try self.date(object, "expirationDate").map { .set($0) }
        }
        for (key, value) in try attributes(of: object) {
            guard let (name, type) = try target(of: key) else { continue }
            // Null, and what is as good as null, removes.
            patch.attributes[name] =
                try attribute(key, value, as: name, type).map { .set($0) } ?? .remove
        }
        if case .set(.string(let related))? = patch.attributes["relatedUniqueIdentifier"],
            patch.relatedUniqueIdentifier == nil
        {
            patch.relatedUniqueIdentifier = related
        }
        return patch
    }

    /// The attribute that a key becomes, with its type where it has one; nil for none.
    private func target(
        of key: String
    ) throws(ValueRefusal) -> (name: String, type: AttributeType?)? {
        guard let text = told[key] else {
            return (key, schema.definition(named: key)?.valueType)
        }
        switch try ColumnMapping.target(told: text, of: key, schema: schema) {
        case .nothing, .unnamed: return nil
        case .attribute(let name, let type):
            let isOpen = !text.contains(":") && schema.definition(named: name) == nil
            return (name, isOpen ? nil : type)
        case .uniqueIdentifier, .domainIdentifier, .expirationDate:
            throw ValueRefusal(
                "\(key) is mapped to \(text), which this document names itself",
                at: ["attributes", key])
        }
    }

    private func attribute(
        _ key: String, _ value: JSONValue, as name: String, _ type: AttributeType?
    ) throws(ValueRefusal) -> AttributeValue? {
        do throws(ValueRefusal) {
            if type == nil, let rule = CustomAttributeKey.brokenRule(of: name) {
                throw ValueRefusal("\"\(name)\" cannot be an attribute: \(rule)")
            }
            return try JSONValueDecoder.value(value, of: name, as: type)
        } catch {
            throw error.under(key).under("attributes")
        }
    }

    private func attributes(of object: JSONObject) throws(ValueRefusal) -> JSONObject {
        guard let value = object["attributes"], !value.isNull else { return JSONObject() }
        guard let attributes = value.object else {
            throw ValueRefusal(
                "attributes are an object, not \(value.kindWithArticle)", at: ["attributes"])
        }
        // Before they are sorted: a line may have half a million.
        guard attributes.count <= Limits.attributesPerDocument else {
            let refusal = DocumentRefusal.tooManyAttributes(
                count: attributes.count, limit: Limits.attributesPerDocument)
            throw ValueRefusal("\(refusal)", at: ["attributes"])
        }
        return attributes
    }

    private func check(
        _ object: JSONObject, allowed: Set<String>
    ) throws(ValueRefusal) {
        guard let unknown = object.keys.first(where: { !allowed.contains($0) }) else { return }
        let advice =
            schema.definition(named: unknown) == nil
            ? "known are \(allowed.sorted().joined(separator: ", "))"
            : "it is an attribute and belongs into \"attributes\""
        throw ValueRefusal("key \"\(unknown)\" is not known here; \(advice)", at: [unknown])
    }

    private func identifier(of object: JSONObject) throws(ValueRefusal) -> String {
        guard let identifier = try text(object, "uniqueIdentifier"), !identifier.isEmpty else {
            throw ValueRefusal(
                "uniqueIdentifier is missing or empty; every document needs one",
                at: ["uniqueIdentifier"])
        }
        return identifier
    }

    private func kind(of object: JSONObject) throws(ValueRefusal) -> DocumentKind {
        guard let text = try text(object, "kind") else { return .product }
        guard let kind = DocumentKind(rawValue: text) else {
            throw ValueRefusal("kind is \"product\" or \"activity\", not \"\(text)\"", at: ["kind"])
        }
        return kind
    }

    private func text(_ object: JSONObject, _ key: String) throws(ValueRefusal) -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let text = value.string else {
            throw ValueRefusal("\(key) is a string, not \(value.kindWithArticle)", at: [key])
        }
        return text
    }

    private func date(_ object: JSONObject, _ key: String) throws(ValueRefusal) -> Timestamp? {
        guard let value = object[key], !value.isNull else { return nil }
        do throws(ValueRefusal) {
            return try JSONValueDecoder.date(value, of: key)
        } catch {
            throw error.under(key)
        }
    }
}
