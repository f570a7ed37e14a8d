import FresnelJSON
import FresnelQuery

// Objects as programs write them: `id` (or `_id`) names the document, every other key is an
// attribute, and what is nested is called `a.b`. A list of objects gives lists of their values. The
// first value of a key decides its type; after that numbers become texts and texts numbers where
// nothing is lost, since programs are not strict about quotes.

/// Turns objects that are no documents of Fresnel's own form into documents.
struct JSONFlatDecoder {
    /// What becomes of a key.
    private enum Target {
        case identifier
        case domain
        case expiration
        case nothing
        /// An attribute; nil for a type that its first value decides.
        case attribute(String, AttributeType?)
    }

    /// A value of an attribute as it is gathered.
    private struct Leaf {
        var values: [JSONValue] = []
        var isList = false
        let type: AttributeType?
        let path: [String]
    }

    private let told: [String: String]
    private let schema: AttributeSchema
    private let texts: TextValueDecoder
    /// What keys become, by their names with those of the keys above.
    private var targets: [ExactText: Target] = [:]
    /// The keys in the order in which they came, as many as `targets` remembers.
    private var order: [String] = []
    /// The mapped keys that were seen.
    private(set) var seen: Set<String> = []
    /// The types that first values have decided, by attribute.
    private var learned: [ExactText: AttributeType] = [:]

    init(_ options: ImportOptions) {
        told = options.columns
        schema = options.schema
        texts = TextValueDecoder(hasDecimalCommas: options.hasDecimalCommas)
    }

    /// Whether an object is none of Fresnel's own form, which names `uniqueIdentifier`.
    static func isFlat(_ object: JSONObject) -> Bool {
        object["uniqueIdentifier"] == nil && object["isUpdate"] == nil
    }

    /// What becomes of the keys, without those that only hold other ones.
    var columns: [ImportedColumn] {
        let holders = Set(
            order.flatMap { name in
                name.utf8.indices.lazy.filter { name.utf8[$0] == UInt8(ascii: ".") }
                    .map { ExactText(String(name[..<$0])) }
            })
        return order.filter { !holders.contains(ExactText($0)) }.map { name in
            let attribute: String? =
                switch targets[ExactText(name)] {
                case .identifier?: "uniqueIdentifier"
                case .domain?: "domainIdentifier"
                case .expiration?: "expirationDate"
                case .attribute(let attribute, _)?: attribute
                case .nothing?, nil: nil
                }
            return ImportedColumn(name: name, attribute: attribute)
        }
    }

    /// Makes the document of an object.
    mutating func document(_ object: JSONObject) throws(ValueRefusal) -> Document {
        var document = Document(uniqueIdentifier: "")
        var leaves: [(name: ExactText, leaf: Leaf)] = []
        var places: [ExactText: Int] = [:]
        try gather(object, [], false) { target, value, isList, path throws(ValueRefusal) in
            guard case .attribute(let name, let type) = target else {
                return try Self.set(target, to: value, path, in: &document)
            }
            let key = ExactText(name)
            let place: Int
            if let known = places[key] {
                guard isList, leaves[known].leaf.path == path else {
                    throw ValueRefusal("two keys become the attribute \(name); map one", at: path)
                }
                place = known
            } else {
                place = leaves.count
                places[key] = place
                leaves.append((key, Leaf(type: type, path: path)))
                guard leaves.count <= Limits.attributesPerDocument else {
                    throw ValueRefusal(
                        "the object has more than \(Limits.attributesPerDocument) attributes, the "
                            + "most of a document; --map 'KEY=-' leaves one out", at: path)
                }
            }
            leaves[place].leaf.isList = isList || value.array != nil
            leaves[place].leaf.values += value.array ?? [value]
        }
        guard !document.uniqueIdentifier.isEmpty else { throw unidentified(object) }
        for (name, leaf) in leaves {
            document.attributes[name.text] = try attribute(name, leaf)
        }
        return document
    }

    /// Walks over the values of an object, with those of objects in it.
    private mutating func gather(
        _ object: JSONObject, _ path: [String], _ isList: Bool,
        _ take: (Target, JSONValue, Bool, [String]) throws(ValueRefusal) -> Void
    ) throws(ValueRefusal) {
        for (key, value) in object where !value.isNull {
            let path = path + [key]
            // The attributes of JSON:API, and of documents whose identifier is called "id".
            if path == ["attributes"], let inner = value.object {
                try gather(inner, [], false, take)
                continue
            }
            let target = try target(of: path)
            if case .nothing = target { continue }
            if let inner = value.object, !Self.takes(inner, target) {
                try gather(inner, path, isList, take)
            } else if let elements = value.array,
                elements.contains(where: { $0.object.map { !Self.takes($0, target) } ?? false })
            {
                for element in elements where !element.isNull {
                    guard let inner = element.object else {
                        throw ValueRefusal(
                            "\(key) mixes objects and other values in one list", at: path)
                    }
                    try gather(inner, path, true, take)
                }
            } else {
                try take(target, value, isList, path)
            }
        }
    }

    /// Whether an attribute takes an object as it is.
    private static func takes(_ object: JSONObject, _ target: Target) -> Bool {
        guard case .attribute(_, let type) = target else { return true }
        return switch type {
        case .persons, .dictionary: true
        case .string: object["default"] != nil
        default: false
        }
    }

    private mutating func target(of path: [String]) throws(ValueRefusal) -> Target {
        let name = path.joined(separator: ".")
        if let known = targets[ExactText(name)] { return known }
        let found: Target
        do throws(ValueRefusal) {
            found = try newTarget(of: name)
        } catch {
            throw ValueRefusal(error.reason, at: path)
        }
        // Lines of ever new keys are refused by the index soon.
        if targets.count > 2 * Limits.customAttributeKeys { (targets, order) = ([:], []) }
        targets[ExactText(name)] = found
        order.append(name)
        if told[name] != nil { seen.insert(name) }
        return found
    }

    private func newTarget(of name: String) throws(ValueRefusal) -> Target {
        if let text = told[name] {
            switch try ColumnMapping.target(told: text, of: name, schema: schema) {
            case .uniqueIdentifier: return .identifier
            case .domainIdentifier: return .domain
            case .expirationDate: return .expiration
            case .nothing, .unnamed: return .nothing
            case .attribute(let attribute, let type):
                let isOpen =
                    !text.utf8.contains(UInt8(ascii: ":"))
                    && schema.definition(named: attribute) == nil
                return .attribute(attribute, isOpen ? nil : type)
            }
        }
        switch name {
        case "id", "_id": if !ColumnMapping.nameIdentifier(told) { return .identifier }
        case "domainIdentifier": return .domain
        case "expirationDate": return .expiration
        default: break
        }
        if let known = schema.definition(named: name) {
            return .attribute(known.name, known.valueType)
        }
        let attribute = AttributeNaming.attribute(of: name)
        if let rule = CustomAttributeKey.brokenRule(of: attribute) {
            throw ValueRefusal(
                "\"\(name)\" cannot be an attribute: \(rule); map it to another name, or to - to "
                    + "leave it out")
        }
        return .attribute(attribute, schema.definition(named: attribute)?.valueType)
    }
}

extension JSONFlatDecoder {
    private static func set(
        _ target: Target, to value: JSONValue, _ path: [String], in document: inout Document
    ) throws(ValueRefusal) {
        let key = path.last ?? ""
        switch target {
        case .identifier:
            guard let text = text(of: value), !text.isEmpty else {
                throw ValueRefusal(
                    "\(key) names the document: a text or a whole number, not "
                        + value.kindWithArticle, at: path)
            }
            guard document.uniqueIdentifier.isEmpty else {
                throw ValueRefusal("the object has two identifiers; map one to -", at: path)
            }
            document.uniqueIdentifier = text
        case .domain:
            guard let text = value.string else {
                throw ValueRefusal("\(key) is a string, not \(value.kindWithArticle)", at: path)
            }
            document.domainIdentifier = text
        case .expiration:
            do throws(ValueRefusal) {
                document.expirationDate = try JSONValueDecoder.date(value, of: key)
            } catch {
                throw ValueRefusal(error.reason, at: path)
            }
        case .nothing, .attribute: break
        }
    }

    /// The text of an identifier.
    private static func text(of value: JSONValue) -> String? {
        value.string ?? value.integer.map { "\($0)" }
    }

    private mutating func attribute(
        _ name: ExactText, _ leaf: Leaf
    ) throws(ValueRefusal) -> AttributeValue? {
        let type = leaf.type ?? learned[name]
        let values = type.map { type in leaf.values.map { fitted($0, to: type) } } ?? leaf.values
        let whole = leaf.isList ? .array(values) : values.first ?? .null
        do throws(ValueRefusal) {
            let value = try JSONValueDecoder.value(whole, of: name.text, as: type)
            if type == nil, let value { learn(value.type, of: name) }
            return value
        } catch {
            let key = leaf.path.joined(separator: ".")
            throw ValueRefusal(
                "\(error.reason); --map '\(key)=NAME:TYPE' gives it another name or type, "
                    + "--map '\(key)=-' leaves it out", at: leaf.path)
        }
    }

    private mutating func learn(_ type: AttributeType, of name: ExactText) {
        if learned.count > 2 * Limits.customAttributeKeys { learned = [:] }
        learned[name] = type
    }

    /// A number as a text and a text as a number, where the type wants it and nothing is lost.
    private func fitted(_ value: JSONValue, to type: AttributeType) -> JSONValue {
        switch (type, value) {
        case (.string, .integer(let number)), (.strings, .integer(let number)):
            return .string("\(number)")
        case (.string, .number(let number)), (.strings, .number(let number)):
            return .string(NumberLiteral.text(of: number))
        case (.string, .bool(let truth)), (.strings, .bool(let truth)):
            return .string(truth ? "true" : "false")
        case (.boolean, .string("true")): return .bool(true)
        case (.boolean, .string("false")): return .bool(false)
        case (.number, .string(let text)), (.numbers, .string(let text)),
            (.boolean, .string(let text)):
            // An empty text is an absent value, whatever the type; others are refused as they are.
            if text.isEmpty { return .null }
            // What is no number stays a text, and is refused as one where it becomes a value.
            return (try? texts.number(text, of: "")).map { .number($0) } ?? value
        default: return value
        }
    }

    /// What to do about an object that nothing identifies.
    private func unidentified(_ object: JSONObject) -> ValueRefusal {
        let lists = object.filter { $0.1.array?.contains { $0.object != nil } ?? false }
        if lists.count == 1, let (key, list) = lists.first {
            return ValueRefusal(
                "the object has no \"id\", and a list \"\(key)\" of "
                    + "\(list.array?.count ?? 0) objects; to import these: "
                    + "jq '.[\"\(key)\"]' FILE | fresnel index -")
        }
        let keys = object.keys.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
        return ValueRefusal(
            "the object has neither \"uniqueIdentifier\" nor \"id\"; name the key that identifies "
                + "it: --map 'KEY=uniqueIdentifier'; its keys are \(keys)"
                + (object.count > 8 ? " and \(object.count - 8) more" : ""))
    }
}
