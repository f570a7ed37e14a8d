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
    /// The place and the reason of the first of them.
    private var firstRefusal: String?

    init(schema: AttributeSchema) {
        self.schema = schema
    }

    var count: Int { documents.count }

    /// How much was refused, and why first; nil when nothing was.
    var refusalText: String? {
        firstRefusal.map { "\(ValueText.count(refused, "line")) refused, the first: \($0)" }
    }

    /// Adds what a source holds, in its order: later versions replace earlier ones.
    mutating func read(_ reader: ImportReader) throws {
        while let record = try reader.next() {
            do throws(ImportRefusal) {
                switch record {
                case .document(let document, let line): try add(document, at: line)
                case .patch(let patch, let line): try apply(patch, at: line)
                case .refused(let refusal): throw refusal
                }
            } catch {
                refused += 1
                firstRefusal = firstRefusal ?? "\(reader.source.name):\(error)"
            }
        }
    }

    /// The identifiers of the documents that match a query, its clock at `context`.
    ///
    /// - Throws: `QueryError` when the query is invalid.
    func identifiers(
        matching query: String, in context: QueryContext, of index: IndexName
    ) throws(QueryError) -> Set<[UInt8]> {
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
        let matcher = ReferenceMatcher(
            expression: try parsed.expression.resolved(in: context), schema: schema,
            language: context.language, index: index.text)
        var found: Set<[UInt8]> = []
        for (identifier, document) in documents where matcher.matches(document) {
            if let expiration = document.expirationDate, expiration <= context.now { continue }
            found.insert(identifier)
        }
        return found
    }

    private mutating func add(_ document: Document, at line: Int) throws(ImportRefusal) {
        let root = documents[Array(document.routingKey.utf8)]
        guard !document.isRoutedByRelation || root?.isRoutedByRelation == false else {
            throw ImportRefusal(
                line: line, reason: "the activity's item \"\(document.routingKey)\" is not there")
        }
        try check(document, at: line)
        documents[Array(document.uniqueIdentifier.utf8)] = document.normalised(in: schema)
    }

    private mutating func apply(_ patch: DocumentPatch, at line: Int) throws(ImportRefusal) {
        let identifier = Array(patch.uniqueIdentifier.utf8)
        guard let current = documents[identifier] else {
            throw ImportRefusal(
                line: line, reason: "there is no document \"\(patch.uniqueIdentifier)\" to change")
        }
        let changed = current.applying(patch.normalised(in: schema))
        try check(changed, at: line)
        documents[identifier] = changed.normalised(in: schema)
    }

    private func check(_ document: Document, at line: Int) throws(ImportRefusal) {
        do throws(DocumentRefusal) {
            try DocumentValidation.validate(document, schema: schema)
        } catch {
            throw ImportRefusal(line: line, reason: "\(error)")
        }
    }
}
