package import FresnelModel

// What stands before the attributes (protocol.md, clauses D-1, D-2):
//
//   document = version kind presence identifier [domain] [expiration] [details] attributes
//   patch    = version %x03 presence identifier [related] [domain] [expiration] attributes

/// The fixed beginning of an encoded document, with places instead of values.
struct DocumentLayout {
    static let version: UInt8 = 1

    /// The first bytes of every document and patch.
    enum Form: UInt8 {
        case product = 1
        case activity = 2
        case patch = 3
    }

    let kind: DocumentKind
    let identifier: Range<Int>
    let domain: Range<Int>?
    let expiration: Timestamp?
    let details: Range<Int>?
    /// Stands at the attribute count.
    let attributes: WireReader

    /// Reads the beginning of a document; nothing behind it is touched.
    init(_ bytes: [UInt8], in range: Range<Int>?, limits: WireLimits) throws(WireError) {
        let size = range?.count ?? bytes.count
        guard size <= limits.documentBytes else {
            throw .tooLarge(.document, bytes: size, limit: limits.documentBytes)
        }
        var reader = try WireReader(bytes, in: range, as: .document)
        let form = try Self.form(&reader)
        guard form != .patch else { throw reader.broken("a patch where a document is due") }
        kind = form == .activity ? .activity : .product
        let has = try reader.presence(3)
        identifier = try reader.slice(limit: limits.identifierBytes)
        domain = has[0] ? try reader.slice(limit: limits.identifierBytes) : nil
        expiration = has[1] ? try reader.timestamp() : nil
        details = has[2] ? try reader.slice() : nil
        attributes = reader
    }

    /// Reads version and form.
    static func form(_ reader: inout WireReader) throws(WireError) -> Form {
        let version = try reader.byte()
        guard version == Self.version else {
            throw reader.broken("encoding version \(version); known is \(Self.version)")
        }
        let byte = try reader.byte()
        guard let form = Form(rawValue: byte) else {
            throw reader.broken("kind \(byte) does not exist")
        }
        return form
    }
}

extension DocumentCoding {
    /// The kind that the second byte of an encoded document says; nil where it is none.
    package static func kind(ofByte byte: UInt8) -> DocumentKind? {
        switch DocumentLayout.Form(rawValue: byte) {
        case .product?: .product
        case .activity?: .activity
        case .patch?, nil: nil
        }
    }
}
