package import FresnelModel

/// The fields of a document that a query can name although they are not attributes.
package enum DocumentField {
    /// The document's key, a text.
    package static let uniqueIdentifier = "uniqueIdentifier"
    /// The document's owner or group, a text; activities carry it as an attribute instead.
    package static let domainIdentifier = "domainIdentifier"
}

extension Document {
    /// The value a query sees under an attribute's canonical name, fields included.
    package func value(ofAttribute name: String) -> AttributeValue? {
        switch name {
        case DocumentField.uniqueIdentifier: .string(uniqueIdentifier)
        case DocumentField.domainIdentifier:
            domainIdentifier.map { .string($0) } ?? attributes[name]
        default: attributes[name]
        }
    }

    /// All values a query sees, under their canonical names: attributes and fields.
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
