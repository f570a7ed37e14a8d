package import FresnelModel

/// The fields of a document that a query can name although they are not attributes.
package enum DocumentField {
    /// The document's key, a text.
    package static let uniqueIdentifier = "uniqueIdentifier"
    /// The document's owner or group, a text; activities carry it as an attribute instead.
    package static let domainIdentifier = "domainIdentifier"
    /// `product` or `activity`, a text.
    package static let documentKind = "documentKind"
    /// The name of the document's index, a text.
    package static let index = "index"

    /// Those that are in no table of attributes.
    package static let names = [uniqueIdentifier, documentKind, index]

    /// The fields of which no segment has values: what they say of a document is told by how it is
    /// stored, and where.
    ///
    /// A key of the name that the owner of the index has declared comes before the field.
    package enum Derived: Hashable, Sendable {
        /// `documentKind`
        case kind
        /// `index`
        case index

        /// The field that a name stands for, if it is one.
        package init?(_ name: String, in schema: AttributeSchema) {
            switch name {
            case DocumentField.documentKind: self = .kind
            case DocumentField.index: self = .index
            default: return nil
            }
            if schema.customKeys[name] != nil { return nil }
        }
    }

    /// Whether a name is that of a field and of no attribute.
    static func isField(_ name: String, in schema: AttributeSchema) -> Bool {
        name == uniqueIdentifier || Derived(name, in: schema) != nil
    }

    /// The field that is probably meant by a name that nobody declared.
    static func meant(by name: String) -> String? {
        switch name.lowercased() {
        case "id", "_id", "identifier": uniqueIdentifier
        case "domain": domainIdentifier
        case "_index", "indexname": index
        default: nil
        }
    }
}

extension Document {
    /// The value a query sees under an attribute's canonical name, stored fields included.
    package func value(ofAttribute name: String) -> AttributeValue? {
        switch name {
        case DocumentField.uniqueIdentifier: .string(uniqueIdentifier)
        case DocumentField.domainIdentifier:
            domainIdentifier.map { .string($0) } ?? attributes[name]
        default: attributes[name]
        }
    }

    /// The value a query sees under a name in an index, all fields included.
    ///
    /// - Parameter index: the document's; without it, it has no value for that.
    package func value(
        ofAttribute name: String, in schema: AttributeSchema, of index: String?
    ) -> AttributeValue? {
        switch DocumentField.Derived(name, in: schema) {
        case .kind?: .string(kind.rawValue)
        case .index?: index.map { .string($0) }
        case nil: value(ofAttribute: name)
        }
    }

    /// All values that are stored to be searched, under their canonical names: attributes and
    /// fields.
    ///
    /// Of a plain document the index finds the same from its bytes (`SegmentBuilder+Plain`).
    package var searchedValues: AttributeMap<AttributeValue> {
        var values = attributes
        values[DocumentField.uniqueIdentifier] = .string(uniqueIdentifier)
        if let domainIdentifier {
            values[DocumentField.domainIdentifier] = .string(domainIdentifier)
        }
        return values
    }
}
