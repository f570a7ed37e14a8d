import FresnelQuery
import FresnelWire

// An import that sends nothing: entries are read, checked against the keys of the index and those
// that entries before them add, and counted, as `ImportSession` does it. What only the cluster can
// know, as whether the document of a patch is there, is not seen.

/// What an import would do.
package struct ImportPreview {
    /// What the documents of a source have of an attribute.
    package struct Attribute: Sendable {
        /// The name.
        package let name: String
        /// The type that it has in the index, or would have.
        package let type: AttributeType
        /// The value of the first document that has it.
        package let first: AttributeValue
        /// Documents that have it.
        package fileprivate(set) var count = 0
        /// Whether it is texts, and all of them are numbers.
        package fileprivate(set) var isNumeric: Bool
    }

    /// As many identifiers are remembered to find those that come again: some 100 MB.
    private static let identifierLimit = 2_000_000
    /// Documents of a source that are kept to be shown.
    private static let shownDocuments = 2

    /// Entries that would become documents or change them.
    package private(set) var accepted = 0
    /// Entries that would be refused.
    package private(set) var refused = 0
    /// Documents of an identifier that an earlier one has, which they would replace.
    package private(set) var repeated = 0
    /// The first documents of the source.
    package private(set) var documents: [Document] = []

    private var book = IndexBook(lastNumber: 0)
    private var attributes: [ExactText: Attribute] = [:]
    private var identifiers: Set<ExactText> = []

    /// - Parameter schema: the keys that the index has.
    package init(_ schema: AttributeSchema) { book.load(schema) }

    /// Adds a key that is declared.
    ///
    /// - Throws: `SearchError` when it is there with other properties.
    package mutating func declare(_ key: CustomAttributeKey) throws(SearchError) {
        do throws(SchemaError) {
            try book.declare(key)
        } catch {
            throw SearchError(error)
        }
    }

    /// The keys of the index with those that were added.
    package var schema: AttributeSchema { book.schema }

    /// The attributes of the source's documents, in order of name.
    package var sortedAttributes: [Attribute] {
        attributes.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Begins a source: what is counted by attribute is its own.
    package mutating func begin() {
        attributes = [:]
        documents = []
    }

    /// Takes an entry that is not encoded; why it would be refused, or nil.
    package mutating func take(_ entry: ImportEntry) -> ImportRefusal? {
        if case .flat(let document, _) = entry { book.declareTexts(of: document) }
        guard let record = entry.record else { return nil }
        switch record {
        case .refused(let refusal):
            refused += 1
            return refusal
        case .document(let document, let line): return take(.index(document), at: line)
        case .patch(let patch, let line): return take(.update(patch), at: line)
        }
    }

    private mutating func take(_ operation: BatchOperation, at line: Int) -> ImportRefusal? {
        let prepared: BatchOperation
        do throws(SearchError) {
            let (operation, keys) = try operation.prepared(in: book.schema)
            for key in keys { try declare(key) }
            prepared = operation
        } catch {
            refused += 1
            return ImportRefusal(line: line, reason: error.message)
        }
        accepted += 1
        if case .index(let document) = prepared { note(document) }
        return nil
    }

    private mutating func note(_ document: Document) {
        let booleans = BooleanAttributes(of: book.schema)
        if documents.count < Self.shownDocuments {
            var shown = document
            shown.attributes.show(booleans)
            documents.append(shown)
        }
        if identifiers.count < Self.identifierLimit {
            let isNew = identifiers.insert(ExactText(document.uniqueIdentifier)).inserted
            repeated += isNew ? 0 : 1
        }
        for (name, value) in document.attributes {
            let key = ExactText(name)
            var attribute =
                attributes[key]
                ?? Attribute(
                    name: name, type: book.schema.definition(named: name)?.valueType ?? value.type,
                    first: booleans.shown(value, of: name), isNumeric: true)
            attribute.count += 1
            attribute.isNumeric = attribute.isNumeric && Self.isNumber(value)
            attributes[key] = attribute
        }
    }

    private static func isNumber(_ value: AttributeValue) -> Bool {
        guard case .string(let text) = value else { return false }
        return NumberLiteral.value(of: text) != nil
    }
}

/// A column, key or field of a source and the attribute that it becomes.
package struct ImportedColumn: Hashable, Sendable {
    /// What the source calls it.
    package let name: String
    /// The attribute, or the field of a document; nil where it is left out.
    package let attribute: String?
}

extension ColumnMapping.Target {
    /// The attribute or field; nil for none.
    var name: String? {
        switch self {
        case .uniqueIdentifier: "uniqueIdentifier"
        case .domainIdentifier: "domainIdentifier"
        case .expirationDate: "expirationDate"
        case .attribute(let name, _): name
        case .nothing, .unnamed: nil
        }
    }
}
