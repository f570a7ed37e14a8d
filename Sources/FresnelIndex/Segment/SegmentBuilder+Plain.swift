import FresnelKernels
import FresnelQuery
import FresnelWire

// A plain document is indexed from its bytes. It gives the same fields in the same order as its
// decoded values would (`Document.searchedValues`): attributes and fields by name.

extension SegmentBuilder {
    /// Adds what a plain document has to be found by.
    ///
    /// - Parameter bytes: those it stands in.
    mutating func append(_ document: PlainDocument, in bytes: Span<UInt8>, of number: UInt32) {
        var places = FieldPlaces(document)
        document.forEachAttribute(in: bytes) { attribute in
            appendFields(before: attribute.name, of: document, in: bytes, &places, number)
            let field = fields.number(of: attribute.name, in: bytes, at: places.next())
            append(attribute.value, in: bytes, toField: field, of: number)
        }
        appendFields(before: nil, of: document, in: bytes, &places, number)
    }

    private mutating func append(
        _ value: PlainAttribute.Value, in bytes: Span<UInt8>, toField field: Int,
        of document: UInt32
    ) {
        var place = Place(document: document, field: field)
        switch value {
        case .number(let number): fields[field].contents.numbers.append(finite: number)
        case .date(let seconds): fields[field].contents.dates.append(finite: seconds)
        case .text(let text): append(bytes.extracting(text), at: &place)
        case .texts(let list):
            PlainAttribute.forEachText(of: list, in: bytes) { text in
                append(bytes.extracting(text), at: &place)
            }
        }
        fields[field].contents.close(document, tokenCount: place.tokenCount)
    }

    /// Adds the fields whose names come before that of an attribute, or all that are left.
    private mutating func appendFields(
        before name: PlainAttribute.Name?, of document: PlainDocument, in bytes: Span<UInt8>,
        _ places: inout FieldPlaces, _ number: UInt32
    ) {
        if let domain = document.domain, places.isDomainLeft,
            name.map({ $0.isBehind(FieldPlaces.domain, in: bytes) }) ?? true
        {
            places.isDomainLeft = false
            let field = fields.number(of: DocumentField.domainIdentifier, at: places.next())
            append(.text(domain), in: bytes, toField: field, of: number)
        }
        if places.isIdentifierLeft,
            name.map({ $0.isBehind(FieldPlaces.identifier, in: bytes) }) ?? true
        {
            places.isIdentifierLeft = false
            let field = fields.number(of: DocumentField.uniqueIdentifier, at: places.next())
            append(.text(document.identifier), in: bytes, toField: field, of: number)
        }
    }
}

/// Which values of a plain document were added.
private struct FieldPlaces {
    static let domain = ComparedName(DocumentField.domainIdentifier)
    static let identifier = ComparedName(DocumentField.uniqueIdentifier)

    private var place = 0
    var isDomainLeft: Bool
    var isIdentifierLeft = true

    init(_ document: PlainDocument) { isDomainLeft = document.domain != nil }

    /// The place of the next name among those of the document.
    mutating func next() -> Int {
        defer { place += 1 }
        return place
    }
}
