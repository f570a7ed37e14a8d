import FresnelKernels
package import FresnelModel

/// Documents and patches ⇄ bytes (protocol.md, "Documents").
///
/// Encoding is faithful and canonical: equal documents give equal bytes. Decoding is total.
package enum DocumentCoding {
    /// Encodes a document, whose names are ASCII: their order as texts is that of their bytes.
    package static func encode(_ document: Document) -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.write(DocumentLayout.version)
        let form: DocumentLayout.Form = document.kind == .activity ? .activity : .product
        writer.write(form.rawValue)
        var presence: UInt8 = document.domainIdentifier == nil ? 0 : 1
        presence |= document.expirationDate == nil ? 0 : 2
        presence |= document.activity == nil ? 0 : 4
        writer.write(presence)
        writer.writeText(document.uniqueIdentifier)
        if let domain = document.domainIdentifier { writer.writeText(domain) }
        if let date = document.expirationDate { writer.write(date.seconds) }
        if let activity = document.activity { writer.writeSlice(encode(activity)) }
        writer.writeVarint(UInt64(document.attributes.count))
        var value = ByteWriter()
        for (name, new) in document.attributes { write(name, new, to: &writer, through: &value) }
        return writer.bytes
    }

    /// Encodes a patch.
    package static func encode(_ patch: DocumentPatch) -> [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.write(DocumentLayout.version)
        writer.write(DocumentLayout.Form.patch.rawValue)
        var presence: UInt8 = patch.relatedUniqueIdentifier == nil ? 0 : 1
        presence |= bits(of: patch.domainIdentifier) << 1
        presence |= bits(of: patch.expirationDate) << 3
        writer.write(presence)
        writer.writeText(patch.uniqueIdentifier)
        if let related = patch.relatedUniqueIdentifier { writer.writeText(related) }
        if case .set(let domain) = patch.domainIdentifier { writer.writeText(domain) }
        if case .set(let date) = patch.expirationDate { writer.write(date.seconds) }
        writer.writeVarint(UInt64(patch.attributes.count))
        var value = ByteWriter()
        for (name, change) in patch.attributes {
            write(name, change.value, to: &writer, through: &value)
        }
        return writer.bytes
    }

    /// 0: leave, 1: set, 2: remove.
    private static func bits<Value>(of change: DocumentPatch.Change<Value>?) -> UInt8 {
        switch change {
        case nil: 0
        case .set: 1
        case .remove: 2
        }
    }

    private static func encode(_ activity: ActivityDetails) -> [UInt8] {
        var writer = ByteWriter()
        let optional = [
            activity.userInfo, activity.webpageURL, activity.persistentIdentifier,
            activity.targetContentIdentifier,
        ]
        writer.writeText(activity.activityType)
        writer.writePresence(optional)
        for text in optional.compactMap(\.self) { writer.writeText(text) }
        writer.writeTexts(activity.requiredUserInfoKeys)
        return writer.bytes
    }

    /// Writes an attribute, or its removal; `value` is memory to use again.
    private static func write(
        _ name: String, _ new: AttributeValue?, to writer: inout ByteWriter,
        through value: inout ByteWriter
    ) {
        value.bytes.removeAll(keepingCapacity: true)
        if let new { value.writeValue(new) }
        let number = AttributeNumber.number(of: name)
        writer.writeVarint(UInt64(number ?? 0))
        if number == nil { writer.writeText(name) }
        writer.write((new?.wireType ?? .removal).rawValue)
        writer.writeSlice(value.bytes)
    }
}
