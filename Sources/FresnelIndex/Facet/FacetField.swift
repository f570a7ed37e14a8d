package import FresnelModel
import FresnelQuery
package import FresnelWire

/// One attribute of a search by whose values the found documents are counted.
package struct FacetField: Hashable, Sendable {
    /// Which texts of an attribute are values.
    enum Texts: Hashable {
        /// Every element.
        case all
        /// The first element: behind the default text of a localised one stand its variants.
        case first
        /// The names of people, which only the stored document can tell from their handles.
        case people
        /// None: the values are those of a field that no segment has values of.
        case field(DocumentField.Derived)
    }

    /// The attribute as the request names it.
    let requested: String
    /// Its canonical name.
    let attribute: String
    let texts: Texts

    /// Reads a request.
    package init(_ request: WireFacetRequest, schema: AttributeSchema) {
        let definition = schema.definition(named: request.attribute)
        requested = request.attribute
        attribute = definition?.name ?? request.attribute
        if let field = DocumentField.Derived(request.attribute, in: schema) {
            texts = .field(field)
            return
        }
        texts =
            switch definition?.valueType {
            case .persons: .people
            case .string, .url: .first
            case .strings, .number, .numbers, .boolean, .date, .dates, .bytes, .byteStrings,
                .dictionary, nil:
                .all
            }
    }
}
