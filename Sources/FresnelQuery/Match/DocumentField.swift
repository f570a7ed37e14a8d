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
}
