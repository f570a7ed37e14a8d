import FresnelModel

/// What the left side of a predicate stands for in an index's schema.
enum AttributeMeaning {
    /// What kinds of literal can be compared with the attribute.
    enum ValueKind {
        case text
        case number
        case boolean
        case date
        /// Fetched, never searched.
        case opaque
    }

    /// `*` or `**`.
    case wildcard(AttributeReference)
    /// An attribute by its canonical name.
    case known(String, ValueKind, isTextContent: Bool)
    /// An attribute whose key says `searchable: false`.
    case unsearchable(String)
    /// A name that is in no table.
    case unknown(String)

    init(_ name: String, schema: AttributeSchema) {
        if DocumentField.isField(name, in: schema) {
            self = .known(name, .text, isTextContent: false)
            return
        }
        guard let definition = schema.definition(named: name) else {
            self = .unknown(name)
            return
        }
        guard definition.isSearchable else {
            self = .unsearchable(definition.name)
            return
        }
        self = .known(
            definition.name, ValueKind(definition), isTextContent: definition.isTextContent)
    }

    /// How to write it in a query.
    var spelling: String {
        switch self {
        case .wildcard(.searchableAndContent): "**"
        case .wildcard(.searchable): "*"
        case .wildcard(.named(let name)), .known(let name, _, _), .unsearchable(let name),
            .unknown(let name):
            name
        }
    }

    var reference: AttributeReference {
        switch self {
        case .wildcard(let reference): reference
        case .known(let name, _, _), .unsearchable(let name), .unknown(let name): .named(name)
        }
    }

    var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}

extension AttributeMeaning.ValueKind {
    init(_ definition: AttributeDefinition) {
        self =
            switch definition.valueType {
            case .string, .strings, .url, .persons: .text
            case .number, .numbers: .number
            case .boolean: .boolean
            case .date, .dates: .date
            case .bytes: definition.isTextContent ? .text : .opaque
            case .byteStrings, .dictionary: .opaque
            }
    }

    /// The kind with its article, for messages.
    var words: String {
        switch self {
        case .text: "a text attribute"
        case .number: "a number attribute"
        case .boolean: "a Boolean attribute"
        case .date: "a date attribute"
        case .opaque: "an attribute that is never searched"
        }
    }
}
