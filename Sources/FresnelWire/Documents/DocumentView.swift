package import FresnelModel

/// Reads single fields of an encoded document without decoding the rest.
///
/// The beginning is read once; an attribute is found by walking over the lengths of those before
/// it.
package struct DocumentView: Sendable {
    /// The bytes that contain the document.
    package let bytes: [UInt8]
    /// Product or activity.
    package let kind: DocumentKind
    /// When the document vanishes; nil for the default.
    package let expirationDate: Timestamp?
    /// The place of the identifier's UTF-8 in `bytes`.
    package let identifierRange: Range<Int>
    private let layout: DocumentLayout
    private let limits: WireLimits

    /// Opens the document in all of `bytes`, or in a part.
    package init(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) {
        layout = try DocumentLayout(bytes, in: range, limits: limits)
        self.bytes = bytes
        self.limits = limits
        kind = layout.kind
        expirationDate = layout.expiration
        identifierRange = layout.identifier
    }

    /// The unique identifier.
    package var uniqueIdentifier: String {
        get throws(WireError) { try layout.attributes.text(in: layout.identifier) }
    }

    /// The domain.
    package var domainIdentifier: String? {
        get throws(WireError) {
            guard let domain = layout.domain else { return nil }
            return try layout.attributes.text(in: domain)
        }
    }

    /// The value of an attribute; nil when the document does not have it.
    package func value(of name: String) throws(WireError) -> AttributeValue? {
        let wanted = AttributeSelection([name])
        var scanner = try AttributeScanner(layout.attributes, limits: limits)
        while let entry = try scanner.next() {
            guard wanted.contains(entry, in: bytes) else { continue }
            return try scanner.value(of: entry)
        }
        return nil
    }

    /// All attribute names, ascending by their UTF-8.
    package var attributeNames: [String] {
        get throws(WireError) {
            var scanner = try AttributeScanner(layout.attributes, limits: limits)
            var names: [String] = []
            while let entry = try scanner.next() { names.append(try scanner.name(of: entry)) }
            return names
        }
    }

    /// The texts of an attribute, every language and every person's names and handles included.
    ///
    /// Empty when the attribute is absent or holds no text.
    package func strings(of name: String) throws(WireError) -> [String] {
        switch try value(of: name) {
        case .string(let text): [text]
        case .strings(let texts): texts
        case .localized(let text):
            [text.defaultText]
                + text.variants.sorted { $0.key.precedes($1.key) }.map(\.value)
        case .persons(let persons):
            persons.flatMap { [$0.displayName].compactMap(\.self) + $0.handles }
        case .number, .boolean, .numbers, .date, .dates, .bytes, .byteStrings, .dictionary, nil:
            []
        }
    }

    /// The numbers of an attribute; dates count as seconds since 2001.
    ///
    /// Empty when the attribute is absent or holds no number.
    package func numbers(of name: String) throws(WireError) -> [Double] {
        switch try value(of: name) {
        case .number(let number): [number]
        case .boolean(let truth): [truth ? 1 : 0]
        case .numbers(let numbers): numbers
        case .date(let date): [date.seconds]
        case .dates(let dates): dates.map(\.seconds)
        case .string, .strings, .bytes, .byteStrings, .persons, .localized, .dictionary, nil: []
        }
    }
}
