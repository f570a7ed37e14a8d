import FresnelClient
import FresnelModel
import FresnelQuery

/// Documents as an index holds them after an import, kept in memory to be asked one by one.
struct ReferenceDocuments {
    let schema: AttributeSchema
    /// By the bytes of their identifiers.
    private var documents: [[UInt8]: Document] = [:]
    /// Entries that no index would accept.
    private(set) var refused = 0

    init(schema: AttributeSchema) {
        self.schema = schema
    }

    var count: Int { documents.count }

    /// Adds what a source holds, in its order: later versions replace earlier ones.
    mutating func read(_ reader: ImportReader) throws {
        while let record = try reader.next() {
            switch record {
            case .document(let document, _): add(document)
            case .patch(let patch, _): apply(patch)
            case .refused: refused += 1
            }
        }
    }

    /// The identifiers of the documents that match a query, its clock at `context`.
    ///
    /// - Throws: `QueryError` when the query is invalid.
    func identifiers(
        matching query: String, in context: QueryContext
    ) throws(QueryError) -> Set<[UInt8]> {
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
        let matcher = ReferenceMatcher(
            expression: try parsed.expression.resolved(in: context), schema: schema,
            language: context.language)
        var found: Set<[UInt8]> = []
        for (identifier, document) in documents where matcher.matches(document) {
            if let expiration = document.expirationDate, expiration <= context.now { continue }
            found.insert(identifier)
        }
        return found
    }

    private mutating func add(_ document: Document) {
        let isOrphan =
            document.isRoutedByRelation && documents[Array(document.routingKey.utf8)] == nil
        guard !isOrphan, isValid(document) else {
            refused += 1
            return
        }
        documents[Array(document.uniqueIdentifier.utf8)] = document.normalised(in: schema)
    }

    private mutating func apply(_ patch: DocumentPatch) {
        let identifier = Array(patch.uniqueIdentifier.utf8)
        guard let current = documents[identifier] else {
            refused += 1
            return
        }
        let changed = current.applying(patch.normalised(in: schema))
        guard isValid(changed) else {
            refused += 1
            return
        }
        documents[identifier] = changed.normalised(in: schema)
    }

    private func isValid(_ document: Document) -> Bool {
        do throws(DocumentRefusal) {
            try DocumentValidation.validate(document, schema: schema)
            return true
        } catch {
            // The import that filled the index has said why.
            return false
        }
    }
}
