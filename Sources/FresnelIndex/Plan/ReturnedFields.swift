import FresnelModel
import FresnelQuery
import FresnelWire

/// What hits return under the names of fields, which their stored documents have no attributes of.
struct ReturnedFields: Sendable {
    private let names: [String]
    private let schema: AttributeSchema

    init(of search: WireSearch, in schema: AttributeSchema) {
        self.schema = schema
        let asked = search.attributes
        names =
            asked.isEmpty || search.allAttributes
            ? []
            : asked.filter { name in
                name == DocumentField.uniqueIdentifier || name == DocumentField.domainIdentifier
                    || DocumentField.Derived(name, in: schema) != nil
            }
    }

    /// Whether none is asked for, as mostly.
    var isEmpty: Bool { names.isEmpty }

    /// An encoded document of an index with what is asked for among its attributes.
    func adding(to encoded: [UInt8], of index: String) throws(WireError) -> [UInt8] {
        var document = try DocumentCoding.decode(encoded)
        for name in names {
            guard let value = document.value(ofAttribute: name, in: schema, of: index) else {
                continue
            }
            document.attributes[name] = value
        }
        return DocumentCoding.encode(document)
    }
}
