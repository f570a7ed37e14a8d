import FresnelWire

extension BatchOperation {
    /// Checks an operation as the cluster will, and brings it into the form it is stored in.
    ///
    /// Custom attributes that nobody declared are declared by the values they have here.
    ///
    /// - Returns: the operation, and the keys that it adds.
    /// - Throws: `SearchError` of code `.invalidItem`.
    func prepared(
        in schema: AttributeSchema
    ) throws(SearchError) -> (operation: BatchOperation, keys: [CustomAttributeKey]) {
        do throws(DocumentRefusal) {
            switch self {
            case .index(let document): return try Self.prepare(document, schema)
            case .update(let patch): return try Self.prepare(patch, schema)
            case .deleteIdentifier(let identifier), .supersede(let identifier, by: _):
                try DocumentValidation.validateIdentifier(identifier, field: "uniqueIdentifier")
            case .deleteDomain(let domain):
                try DocumentValidation.validateIdentifier(domain, field: "domainIdentifier")
                try DocumentValidation.validateDomain(domain)
            case .deleteQuery, .deleteAll: break
            }
            return (self, [])
        } catch {
            throw SearchError(error)
        }
    }

    /// The document that is meant; nil for deletions that name none.
    var uniqueIdentifier: String? {
        switch self {
        case .index(let document): document.uniqueIdentifier
        case .update(let patch): patch.uniqueIdentifier
        case .deleteIdentifier(let identifier), .supersede(let identifier, by: _): identifier
        case .deleteDomain, .deleteQuery, .deleteAll: nil
        }
    }

    private static func prepare(
        _ document: Document, _ schema: AttributeSchema
    ) throws(DocumentRefusal) -> (BatchOperation, [CustomAttributeKey]) {
        do throws(DocumentRefusal) {
            return (.index(try DocumentValidation.normalised(document, schema: schema)), [])
        } catch {
            // Few documents are the first with a key: that is looked at only then.
            guard case .undeclared = error else { throw error }
            let (schema, keys) = try extend(schema, for: document)
            return (.index(try DocumentValidation.normalised(document, schema: schema)), keys)
        }
    }

    private static func prepare(
        _ patch: DocumentPatch, _ schema: AttributeSchema
    ) throws(DocumentRefusal) -> (BatchOperation, [CustomAttributeKey]) {
        // What a patch sets, as a document, so that keys are inferred by one rule.
        var sample = Document(uniqueIdentifier: patch.uniqueIdentifier)
        sample.attributes = patch.attributes.compactMapValues(\.value)
        let (extended, keys) = try extend(schema, for: sample)
        var known = patch
        // Removing what no document can have changes nothing.
        known.attributes = patch.attributes.filter {
            $0.value.value != nil || extended.definition(named: $0.key) != nil
        }
        try DocumentValidation.validate(known, schema: extended)
        return (.update(known.normalised(in: extended)), keys)
    }

    private static func extend(
        _ schema: AttributeSchema, for document: Document
    ) throws(DocumentRefusal) -> (AttributeSchema, [CustomAttributeKey]) {
        var extended = schema
        do throws(SchemaError) {
            let keys = try extended.declareMissing(for: document)
            return (extended, keys)
        } catch {
            throw .schema(error)
        }
    }
}
