import FresnelModel
import FresnelQuery
package import FresnelText

/// What a field must satisfy that no segment has values of (`DocumentField.Derived`).
package enum FieldTest: Sendable {
    /// The kinds of document that satisfy it.
    case kinds(products: Bool, activities: Bool)
    /// A pattern for the name of the index, nil for any; no document satisfies it where the name is
    /// not known.
    case index(GlobPattern?)
    /// Decided for all documents.
    case constant(Bool)

    init(_ test: ValueTest, of field: DocumentField.Derived, language: String?) {
        switch test {
        case .exists: self = field == .index ? .index(nil) : .constant(true)
        case .numeric: self = .constant(false)
        case .text(let pattern, _):
            let glob = GlobPattern(pattern, language: language)
            self =
                switch field {
                case .index: .index(glob)
                case .kind:
                    .kinds(
                        products: glob.matches(DocumentKind.product.rawValue),
                        activities: glob.matches(DocumentKind.activity.rawValue))
                }
        }
    }
}

extension ValueTest {
    /// Whether it is about a pattern.
    var isText: Bool {
        if case .text = self { true } else { false }
    }
}

extension SegmentMatcher {
    /// The documents that satisfy a test of a field.
    func matches(_ test: FieldTest) -> DocumentSet {
        switch test {
        case .constant(let value): return value ? .all(of: documentCount) : .none(of: documentCount)
        case .index: return .none(of: documentCount)
        case .kinds(true, true): return .all(of: documentCount)
        case .kinds(false, false): return .none(of: documentCount)
        case .kinds(false, true): return segment.kinds.activities
        case .kinds(true, false):
            var products = DocumentSet.all(of: documentCount)
            products.subtract(segment.kinds.activities)
            return products
        }
    }
}
