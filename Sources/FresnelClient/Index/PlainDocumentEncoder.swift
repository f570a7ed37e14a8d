import FresnelWire

// Most documents that a program indexes are texts, numbers and dates under known names. They are
// checked as their bytes are laid out, without a copy, without looking names up by their hashes. It
// says nothing about a document that it does not take: `BatchOperation.prepared` checks that one,
// and would make the same bytes of every other (a test compares both).

/// Makes plain documents of documents.
struct PlainDocumentEncoder {
    private var writer = PlainDocumentWriter()
    private var keys = PlainKeys()

    /// Encodes a document.
    ///
    /// - Returns: nil for one that is wrong or not plain.
    mutating func encode(_ document: Document, _ types: PlainTypes) -> EncodedDocument? {
        // Empty values count here and vanish then; nothing is copied of what is far too large.
        guard document.kind == .product, document.activity == nil, document.expirationDate == nil,
            document.attributes.count <= Limits.attributesPerDocument,
            document.contentBytes <= PlainDocument.byteLimit
        else { return nil }
        writer.begin()
        writer.setIdentifier(document.uniqueIdentifier.utf8.span)
        if let domain = document.domainIdentifier {
            guard !domain.isEmpty else { return nil }
            writer.setDomain(domain.utf8.span)
        }
        for (number, (name, value)) in document.attributes.enumerated() {
            guard let key = keys.key(name.utf8.span, at: number, types),
                let place = writer.begin(key), write(value, key, at: place)
            else { return nil }
        }
        return writer.finish(types)
    }

    /// Whether the value may stand there, as far as can be told from its type.
    private mutating func write(
        _ value: AttributeValue, _ key: PlainTypes.Key, at place: Int
    ) -> Bool {
        switch (value, key.type) {
        case (.string(let text), .string), (.string(let text), .url):
            writer.add(text.utf8.span, at: place)
        case (.string(let text), .strings): write(CollectionOfOne(text), at: place)
        case (.strings(let texts), .strings) where texts.count <= Limits.elementsPerAttribute:
            write(texts, at: place)
        case (.number(let number), .number), (.number(let number), .boolean):
            writer.add(number, at: place)
        case (.boolean(let truth), .number), (.boolean(let truth), .boolean):
            writer.add(truth ? 1 : 0, at: place)
        case (.date(let date), .date): writer.add(date, at: place)
        default: return false
        }
        return true
    }

    private mutating func write(_ texts: some Sequence<String>, at place: Int) {
        writer.beginList()
        for text in texts { writer.addToList(text.utf8.span) }
        writer.addList(at: place)
    }
}
