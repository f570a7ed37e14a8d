/// What a document must be before a worker may see it.
///
/// Clients check before they send, so that mistakes are told at once; workers check again, because
/// a client may be anybody's.
public enum DocumentValidation {
    /// Checks a document against the schema of its index.
    ///
    /// - Throws: `DocumentRefusal` with the first thing that is wrong, attributes in order of name.
    public static func validate(
        _ document: Document, schema: AttributeSchema
    ) throws(DocumentRefusal) {
        _ = try check(document, schema)
    }

    /// Checks a document against the schema of its index.
    ///
    /// - Returns: the document as it is stored (`Document.normalised`).
    /// - Throws: `DocumentRefusal` with the first thing that is wrong, attributes in order of name.
    public static func normalised(
        _ document: Document, schema: AttributeSchema
    ) throws(DocumentRefusal) -> Document {
        try check(document, schema) ? document : document.normalised(in: schema)
    }

    /// Checks a document; returns whether it is known to be stored as it is.
    ///
    /// Attributes with a rule of their own are told to `PlainTypes`, which lets others pass unread.
    private static func check(
        _ document: Document, _ schema: AttributeSchema
    ) throws(DocumentRefusal) -> Bool {
        try validateIdentifier(document.uniqueIdentifier, field: "uniqueIdentifier")
        if let domain = document.domainIdentifier { try validateDomain(domain) }
        guard document.kind == .activity || document.activity == nil else {
            throw .productWithActivity
        }
        if let activity = document.activity { try validateActivity(activity) }
        try validateCount(document.attributes.count)
        var isNormal = document.hasNothingToFillIn
        var names = SeenNames()
        for (name, value) in document.attributes {
            let definition = try find(name, in: schema, seen: &names)
            try validate(value, of: definition)
            isNormal =
                isNormal && definition.name.hasSameBytes(as: name)
                && value.isNormal(for: definition.valueType)
        }
        try validatePromises { document.attributes[$0] }
        try validateSize(document.contentBytes)
        return isNormal
    }

    /// Checks a patch against the schema of its index.
    ///
    /// - Throws: `DocumentRefusal` with the first thing that is wrong, attributes in order of name.
    public static func validate(
        _ patch: DocumentPatch, schema: AttributeSchema
    ) throws(DocumentRefusal) {
        try validateIdentifier(patch.uniqueIdentifier, field: "uniqueIdentifier")
        if let domain = patch.domainIdentifier?.value { try validateDomain(domain) }
        try validateCount(patch.attributes.count)
        var names = SeenNames()
        for (name, change) in patch.attributes {
            let definition = try find(name, in: schema, seen: &names)
            guard case .set(let value) = change else { continue }
            try validate(value, of: definition)
        }
        if let relation = patch.attributes["relatedUniqueIdentifier"] {
            guard patch.relatedUniqueIdentifier.map({ .set(.string($0)) }) == relation else {
                throw .relationChanged
            }
        }
        try validatePromises { patch.attributes[$0]?.value }
        try validateSize(patch.contentBytes)
    }

    /// Checks the length of an identifier.
    public static func validateIdentifier(
        _ identifier: String, field: String
    ) throws(DocumentRefusal) {
        guard !identifier.isEmpty else { throw .emptyIdentifier(field: field) }
        try validateLength(identifier, field: field, limit: Limits.identifierBytes)
    }

    /// Checks a domain: its length, and that no part is empty.
    public static func validateDomain(_ domain: String) throws(DocumentRefusal) {
        try validateLength(domain, field: "domainIdentifier", limit: Limits.domainBytes)
        guard domain.isEmpty || Domain.isValid(domain) else { throw .invalidDomain(domain) }
    }

    /// Checks the size of a document or patch in bytes, counted or encoded.
    public static func validateSize(_ bytes: Int) throws(DocumentRefusal) {
        guard bytes <= Limits.documentBytes else {
            throw .tooLarge(bytes: bytes, limit: Limits.documentBytes)
        }
    }
}

extension DocumentValidation {
    private static func validateLength(
        _ text: String, field: String, limit: Int
    ) throws(DocumentRefusal) {
        guard text.utf8.count <= limit else {
            throw .tooLong(field: field, bytes: text.utf8.count, limit: limit)
        }
    }

    private static func validateActivity(_ activity: ActivityDetails) throws(DocumentRefusal) {
        try validateIdentifier(activity.activityType, field: "activityType")
        if let identifier = activity.persistentIdentifier {
            try validateIdentifier(identifier, field: "persistentIdentifier")
        }
    }

    private static func validateCount(_ count: Int) throws(DocumentRefusal) {
        guard count <= Limits.attributesPerDocument else {
            throw .tooManyAttributes(count: count, limit: Limits.attributesPerDocument)
        }
    }

    private static func find(
        _ name: String, in schema: AttributeSchema, seen names: inout SeenNames
    ) throws(DocumentRefusal) -> AttributeDefinition {
        guard let definition = schema.definition(named: name) else {
            throw .undeclared(attribute: name)
        }
        guard names.isNew(definition.name, givenAs: name) else {
            throw .givenTwice(attribute: definition.name)
        }
        return definition
    }

    private static func validate(
        _ value: AttributeValue, of definition: AttributeDefinition
    ) throws(DocumentRefusal) {
        let name = definition.name
        guard value.fits(definition) else {
            throw .wrongType(attribute: name, expected: definition.valueType, found: value.type)
        }
        guard value.elementCount <= Limits.elementsPerAttribute else {
            throw .tooManyElements(
                attribute: name, count: value.elementCount, limit: Limits.elementsPerAttribute)
        }
        switch value {
        case .number(let number) where !number.isFinite: throw .notFinite(attribute: name)
        case .numbers(let numbers) where !numbers.allSatisfy(\.isFinite):
            throw .notFinite(attribute: name)
        case .string(let text) where identifiers.contains(name):
            try validateLength(text, field: name, limit: Limits.identifierBytes)
        case .string(let domain) where name == "domainIdentifier": try validateDomain(domain)
        default: break
        }
    }

    private static func validatePromises(
        _ value: (String) -> AttributeValue?
    ) throws(DocumentRefusal) {
        var lists: [ExactText: String] = [:]
        for list in promiseLists {
            guard case .strings(let types)? = value(list) else { continue }
            for type in Set(types.map(ExactText.init)).sorted() {
                if let first = lists.updateValue(list, forKey: type) {
                    throw .promisedTwice(type: type.text, first: first, second: list)
                }
            }
        }
    }

    private static let identifiers: Set<String> = [
        "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier",
    ]

    private static let promiseLists = [
        "providerDataTypeIdentifiers", "providerFileTypeIdentifiers",
        "providerInPlaceFileTypeIdentifiers",
    ]
}

/// The attributes a document has given so far, by their canonical names.
///
/// A map has each name once, so that only aliases can give one twice: names are kept only since the
/// first of those.
private struct SeenNames {
    private var names: [String] = []
    private var seen: Set<String> = []

    /// Whether an attribute was not given before, as `name` or otherwise.
    mutating func isNew(_ canonical: String, givenAs name: String) -> Bool {
        guard canonical != name || !seen.isEmpty else {
            names.append(canonical)
            return true
        }
        if seen.isEmpty { seen = Set(names) }
        return seen.insert(canonical).inserted
    }
}
