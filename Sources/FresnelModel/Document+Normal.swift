extension Document {
    /// The document as it is stored.
    ///
    /// Attribute names are canonical, empty values are absent, a single value is a list of one
    /// where the attribute is a list, `contentTypeTree` is filled in, and a domain that stands only
    /// among the attributes (as activities have it) becomes the domain. Normalising twice changes
    /// nothing more. Attributes that others follow from are told to `PlainTypes`.
    public func normalised(in schema: AttributeSchema = AttributeSchema()) -> Document {
        var document = self
        document.attributes = [:]
        for (name, value) in attributes {
            let definition = schema.definition(named: name)
            let type = definition?.valueType ?? value.type
            document.attributes[definition?.name ?? name] = value.normalised(for: type)
        }
        document.setContentTypeTree(sent: document.contentTypeTree)
        if domainIdentifier?.isEmpty ?? true {
            document.domainIdentifier = document.text(of: "domainIdentifier")
        }
        return document
    }

    /// The document after a patch; both must be normalised, and so is the result.
    ///
    /// When the content type changes, the types that followed from the old one leave the tree and
    /// those of the new one enter; types the owner added stay, unless the patch sets the tree.
    public func applying(_ patch: DocumentPatch) -> Document {
        var document = self
        let implied = Set(ContentTypes.expanded(contentType: contentType, tree: []))
        let added = contentTypeTree.filter { !implied.contains($0) }
        for (name, change) in patch.attributes {
            switch change {
            case .remove: document.attributes[name] = nil
            case .set(let value): document.attributes[name] = value
            }
        }
        let setsTree = patch.attributes["contentTypeTree"] != nil
        if setsTree || patch.attributes["contentType"] != nil {
            document.setContentTypeTree(sent: setsTree ? document.contentTypeTree : added)
        }
        patch.domainIdentifier.map { document.domainIdentifier = $0.value }
        patch.expirationDate.map { document.expirationDate = $0.value }
        return document
    }

    /// Whether no field follows from others: `normalised` would fill in nothing.
    var hasNothingToFillIn: Bool {
        attributes["contentType"] == nil && attributes["contentTypeTree"] == nil
            && (domainIdentifier.map { !$0.isEmpty } ?? (attributes["domainIdentifier"] == nil))
    }

    private var contentType: String? { text(of: "contentType") }

    private var contentTypeTree: [String] {
        guard case .strings(let types)? = attributes["contentTypeTree"] else { return [] }
        return types
    }

    private mutating func setContentTypeTree(sent: [String]) {
        let tree = ContentTypes.expanded(contentType: contentType, tree: sent)
        if !tree.isEmpty {
            attributes["contentTypeTree"] = .strings(tree)
        } else if case .strings? = attributes["contentTypeTree"] {
            attributes["contentTypeTree"] = nil
        }
    }

    private func text(of attribute: String) -> String? {
        guard case .string(let text)? = attributes[attribute] else { return nil }
        return text
    }
}

extension DocumentPatch {
    /// The patch as it is applied: canonical names, and setting an empty value removes.
    public func normalised(in schema: AttributeSchema = AttributeSchema()) -> DocumentPatch {
        var patch = self
        patch.attributes = [:]
        for (name, change) in attributes {
            let definition = schema.definition(named: name)
            let canonical = definition?.name ?? name
            switch change {
            case .remove: patch.attributes[canonical] = .remove
            case .set(let value):
                let stored = value.normalised(for: definition?.valueType ?? value.type)
                patch.attributes[canonical] = stored.map { .set($0) } ?? .remove
            }
        }
        if case .set("")? = domainIdentifier { patch.domainIdentifier = .remove }
        if domainIdentifier == nil {
            patch.domainIdentifier = patch.domainFromAttributes
        }
        if relatedUniqueIdentifier?.isEmpty == true { patch.relatedUniqueIdentifier = nil }
        return patch
    }

    private var domainFromAttributes: Change<String>? {
        switch attributes["domainIdentifier"] {
        case .set(.string(let domain)): .set(domain)
        case .remove: .remove
        case .set, nil: nil
        }
    }
}

extension DocumentPatch.Change {
    /// The new value; nil when the field becomes absent.
    public var value: Value? {
        switch self {
        case .remove: nil
        case .set(let value): value
        }
    }
}
