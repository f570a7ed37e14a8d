import FresnelClient
import FresnelModel

/// A document for people, one field a line.
enum DocumentText {
    /// The fields, then the attributes in order of name.
    static func lines(_ stored: StoredDocument, style: Style = .standard) -> [String] {
        lines(stored.document, index: stored.index.text, stored.expiration, style: style)
    }

    /// The fields of a document that is in no index yet.
    static func lines(
        _ document: Document, index: String? = nil, _ expiration: DocumentExpiration? = nil,
        style: Style = .standard
    ) -> [String] {
        var fields = [("uniqueIdentifier", document.uniqueIdentifier)]
        if let index { fields.append(("index", index)) }
        if let domain = document.domainIdentifier { fields.append(("domainIdentifier", domain)) }
        fields.append(("kind", document.kind.rawValue))
        if let date = document.expirationDate {
            fields.append(("expirationDate", "\(date)"))
        } else {
            switch expiration {
            case nil: break
            case .never?: fields.append(("expires", "never"))
            case .at(let time)?:
                fields.append(("expires", "\(ExpirationText.text(time)) (by default of its index)"))
            }
        }
        if let activity = document.activity {
            fields.append(("activityType", activity.activityType))
        }
        for (name, value) in document.attributes.sorted(by: { $0.key < $1.key }) {
            fields.append((name, ValueText.text(value)))
        }
        let width = fields.map(\.0.count).max() ?? 0
        return fields.map { name, text in
            let blanks = String(repeating: " ", count: width - name.count)
            return "\(style.dim(name))\(blanks)  \(ShownText.oneLine(text))"
        }
    }
}
