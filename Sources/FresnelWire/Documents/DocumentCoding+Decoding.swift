package import FresnelModel

extension DocumentCoding {
    /// Decodes a document from all of `bytes`, or from a part.
    ///
    /// - Throws: `WireError` for anything that `encode` does not write.
    package static func decode(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) -> Document {
        let layout = try DocumentLayout(bytes, in: range, limits: limits)
        let reader = layout.attributes
        var document = Document(
            uniqueIdentifier: try reader.text(in: layout.identifier), kind: layout.kind,
            expirationDate: layout.expiration)
        if let domain = layout.domain { document.domainIdentifier = try reader.text(in: domain) }
        if let details = layout.details {
            document.activity = try activity(bytes, details, limits)
        }
        try changes(reader, limits) { (name, change) throws(WireError) in
            guard case .set(let value) = change else {
                throw reader.broken("attribute \(name) is removed, which only a patch can do")
            }
            document.attributes[name] = value
        }
        return document
    }

    /// Decodes a patch from all of `bytes`, or from a part.
    ///
    /// - Throws: `WireError` for anything that `encode` does not write.
    package static func decodePatch(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) -> DocumentPatch {
        let size = range?.count ?? bytes.count
        guard size <= limits.documentBytes else {
            throw .tooLarge(.document, bytes: size, limit: limits.documentBytes)
        }
        var reader = try WireReader(bytes, in: range, as: .patch)
        guard try DocumentLayout.form(&reader) == .patch else {
            throw reader.broken("a document where a patch is due")
        }
        let has = try reader.presence(5)
        guard !(has[1] && has[2]), !(has[3] && has[4]) else {
            throw reader.broken("a field is both set and removed")
        }
        let limit = limits.identifierBytes
        var patch = DocumentPatch(uniqueIdentifier: try reader.text(limit: limit))
        if has[0] { patch.relatedUniqueIdentifier = try reader.text(limit: limit) }
        if has[1] { patch.domainIdentifier = .set(try reader.text(limit: limit)) }
        if has[2] { patch.domainIdentifier = .remove }
        if has[3] { patch.expirationDate = .set(try reader.timestamp()) }
        if has[4] { patch.expirationDate = .remove }
        try changes(reader, limits) { (name, change) in patch.attributes[name] = change }
        return patch
    }

    private static func changes(
        _ reader: WireReader, _ limits: WireLimits,
        _ take: (String, DocumentPatch.Change<AttributeValue>) throws(WireError) -> Void
    ) throws(WireError) {
        var scanner = try AttributeScanner(reader, limits: limits)
        var previous: String?
        while let entry = try scanner.next() {
            let name = try scanner.name(of: entry)
            if let previous, !previous.precedes(name) {
                throw reader.broken("attribute \(name) stands after \(previous); sort by name")
            }
            previous = name
            if entry.type == ValueType.removal.rawValue {
                guard entry.value.isEmpty else {
                    throw reader.broken("attribute \(name) is removed and has a value")
                }
                try take(name, .remove)
            } else {
                try take(name, .set(try scanner.value(of: entry)))
            }
        }
    }

    private static func activity(
        _ bytes: [UInt8], _ range: Range<Int>, _ limits: WireLimits
    ) throws(WireError) -> ActivityDetails {
        var reader = try WireReader(bytes, in: range, as: .document)
        var details = ActivityDetails(activityType: try reader.text())
        let has = try reader.presence(4)
        details.userInfo = try reader.optionalText(has[0])
        details.webpageURL = try reader.optionalText(has[1])
        details.persistentIdentifier = try reader.optionalText(has[2])
        details.targetContentIdentifier = try reader.optionalText(has[3])
        details.requiredUserInfoKeys = try reader.texts(limit: limits.valueElements)
        try reader.requireEnd()
        return details
    }
}
