/// Why one document, patch or identifier is not accepted; the others of its batch may be.
public enum DocumentRefusal: Error, Hashable, Sendable {
    /// An identifier is empty.
    case emptyIdentifier(field: String)
    /// An identifier or name is too long.
    case tooLong(field: String, bytes: Int, limit: Int)
    /// A part of the domain is empty.
    case invalidDomain(String)
    /// The attribute is neither known nor declared.
    case undeclared(attribute: String)
    /// The attribute is given under its name and an alias, or under two aliases.
    case givenTwice(attribute: String)
    /// The value has a type the attribute does not take.
    case wrongType(attribute: String, expected: AttributeType, found: AttributeType)
    /// A number is infinite or not a number.
    case notFinite(attribute: String)
    /// There are more attributes than allowed.
    case tooManyAttributes(count: Int, limit: Int)
    /// An attribute has more elements than allowed.
    case tooManyElements(attribute: String, count: Int, limit: Int)
    /// A type is promised in two ways.
    case promisedTwice(type: String, first: String, second: String)
    /// The document is larger than allowed.
    case tooLarge(bytes: Int, limit: Int)
    /// A product carries the details of an activity.
    case productWithActivity
    /// A patch would move the document to another shard.
    case relationChanged
    /// A custom key cannot be declared as the document uses it.
    case schema(SchemaError)
    /// A hard-linked activity arrived, but the document it is about does not exist.
    case relatedMissing(identifier: String)
}

extension DocumentRefusal: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .emptyIdentifier(let field): "\(field) is empty; give it at least one character"
        case .tooLong(let field, let bytes, let limit):
            "\(field) has \(bytes) bytes of UTF-8; at most \(limit) are allowed"
        case .invalidDomain(let domain):
            "domainIdentifier \"\(domain)\" has an empty part; write parts joined by single periods"
        case .undeclared(let attribute):
            "attribute \(attribute) is neither known nor declared; declare it as a custom key"
        case .givenTwice(let attribute):
            "attribute \(attribute) is given twice, by its name and by an alias; give it once"
        case .wrongType(let attribute, let expected, let found):
            "attribute \(attribute) takes a \(expected), but the value is a \(found)"
        case .notFinite(let attribute):
            "attribute \(attribute) holds a number that is not finite; send a finite one or none"
        case .tooManyAttributes(let count, let limit):
            "the document has \(count) attributes; at most \(limit) are allowed"
        case .tooManyElements(let attribute, let count, let limit):
            "attribute \(attribute) has \(count) elements; at most \(limit) are allowed"
        case .promisedTwice(let type, let first, let second):
            "type \(type) stands in \(first) and in \(second); promise it in one of them"
        case .tooLarge(let bytes, let limit):
            "the document has \(bytes) bytes; at most \(limit) are allowed"
        case .productWithActivity:
            "a product carries activity details; leave them out or make it an activity"
        case .relationChanged:
            """
            an update cannot change relatedUniqueIdentifier, which chooses the shard; \
            index the whole document again
            """
        case .schema(let error): error.description
        case .relatedMissing(let identifier):
            """
            the related document \"\(identifier)\" is not in the index; index it first, or use \
            weakRelatedUniqueIdentifier
            """
        }
    }
}

extension SearchError {
    /// A refused document as the public error: invalid item.
    public init(_ refusal: DocumentRefusal) {
        self.init(.invalidItem, refusal.description, underlying: refusal)
    }

    /// A refused key as the public error: invalid item.
    public init(_ error: SchemaError) {
        self.init(.invalidItem, error.description, underlying: error)
    }
}
