// What becomes of a package's fields (Documentation/client.md has the table for readers):
//
//   Package        title, uniqueIdentifier "deb:<name>"; a repeated name adds ":<arch>:<version>"
//   Description    contentDescription, synopsis first
//   Section        genre, keywords, domain "debian.<section>" ("." and "/" become "-")
//   Tag            keywords
//   Maintainer     authors
//   Homepage       URL
//   Version        version
//   Size           fileSize, in megabytes of 1 000 000 bytes
//   Installed-Size com_debian_installed_size, in KiB as Debian counts
//   Architecture, Priority, Depends    com_debian_architecture, …_priority, …_depends
//
// A field that is mapped becomes what it is mapped to instead; any other field may be mapped, too.

/// Turns paragraphs of a package list into documents.
struct DebianPackage {
    /// Names seen so far: some 60 000 in a whole distribution.
    private var names: Set<ExactText> = []
    /// What fields become instead, in order of name.
    private let mappings: [ColumnMapping]
    private var seen: Set<String> = []
    private let texts: TextValueDecoder

    init(_ options: ImportOptions) throws(ValueRefusal) {
        var mappings: [ColumnMapping] = []
        for field in options.columns.keys.sorted() {
            let mapping = try ColumnMapping(field, told: options.columns, schema: options.schema)
            let isRepeated = mappings.contains { $0.target == mapping.target }
            guard mapping.target == .nothing || !isRepeated else {
                throw ValueRefusal("two fields are mapped to \(mapping.target.name ?? "-")")
            }
            mappings.append(mapping)
        }
        self.mappings = mappings
        texts = TextValueDecoder(hasDecimalCommas: options.hasDecimalCommas)
    }

    /// What becomes of the fields that are mapped.
    var columns: [ImportedColumn] {
        mappings.map { ImportedColumn(name: $0.column, attribute: $0.target.name) }
    }

    /// The mapped fields that no paragraph had.
    var missingFields: [String] { mappings.map(\.column).filter { !seen.contains($0) } }

    /// Makes the document of a paragraph.
    mutating func document(_ paragraph: Deb822Paragraph) throws(ImportRefusal) -> Document {
        guard let name = paragraph["Package"], !name.value.isEmpty else {
            throw ImportRefusal(line: paragraph.line, reason: "the paragraph names no Package")
        }
        var document = Document(uniqueIdentifier: identifier(name.value, paragraph))
        let section = paragraph["Section"]?.value ?? "unknown"
        document.domainIdentifier = "debian." + Self.domainPart(section)
        let whole = paragraph
        let paragraph = mappings.reduce(whole) { $0.without($1.column) }
        var attributes: AttributeMap<AttributeValue> = ["contentType": .string("public.data")]
        attributes["title"] = paragraph["Package"].map { .string($0.value) }
        Self.setTexts(&attributes, paragraph)
        attributes["keywords"] = .strings(
            Self.keywords(paragraph["Section"]?.value, paragraph["Tag"]?.value))
        attributes["authors"] = paragraph["Maintainer"].map { .persons([Self.person($0.value)]) }
        attributes["com_debian_depends"] = paragraph["Depends"].map {
            .strings(Self.list($0.value))
        }
        attributes["fileSize"] = try Self.number(paragraph["Size"], scale: 1_000_000)
        attributes["com_debian_installed_size"] = try Self.number(paragraph["Installed-Size"])
        for (attribute, value) in attributes {
            document.attributes[attribute] = value.normalised(for: value.type)
        }
        for mapping in mappings {
            guard let field = whole[mapping.column] else { continue }
            seen.insert(mapping.column)
            do throws(ValueRefusal) {
                try set(mapping, to: field.value, in: &document)
            } catch {
                throw ImportRefusal(line: field.line, column: field.column, reason: error.reason)
            }
        }
        return document
    }

    private func set(
        _ mapping: ColumnMapping, to text: String, in document: inout Document
    ) throws(ValueRefusal) {
        guard !text.isEmpty else { return }
        switch mapping.target {
        case .nothing, .unnamed: break
        case .uniqueIdentifier: document.uniqueIdentifier = text
        case .domainIdentifier: document.domainIdentifier = text
        case .expirationDate:
            document.expirationDate = try TextValueDecoder.date(text, of: mapping.column)
        case .attribute(let name, let type):
            document.attributes[name] = try texts.value(text, of: mapping.column, as: type)
        }
    }

    private mutating func identifier(_ name: String, _ paragraph: Deb822Paragraph) -> String {
        guard !names.insert(ExactText(name)).inserted else { return "deb:\(name)" }
        let details = ["Architecture", "Version"].compactMap { paragraph[$0]?.value }
        return (["deb:\(name)"] + details).joined(separator: ":")
    }

    private static func setTexts(
        _ attributes: inout AttributeMap<AttributeValue>, _ paragraph: Deb822Paragraph
    ) {
        let texts = [
            "contentDescription": "Description", "genre": "Section", "URL": "Homepage",
            "version": "Version", "com_debian_architecture": "Architecture",
            "com_debian_priority": "Priority",
        ]
        for (attribute, field) in texts {
            attributes[attribute] = paragraph[field].map { .string($0.value) }
        }
        if attributes["contentDescription"] == nil {
            attributes["contentDescription"] = paragraph["Description-en"].map {
                .string($0.value)
            }
        }
    }

    /// A section as one part of a domain, which has no period.
    private static func domainPart(_ section: String) -> String {
        let part = String(section.map { $0 == "." || $0 == "/" ? "-" : $0 })
        return part.isEmpty ? "unknown" : part
    }

    private static func keywords(_ section: String?, _ tags: String?) -> [String] {
        var keywords = section.map { $0 == "unknown" ? [] : [$0] } ?? []
        for tag in list(tags ?? "") where !keywords.contains(tag) { keywords.append(tag) }
        return keywords
    }

    /// The parts between commas.
    private static func list(_ text: String) -> [String] {
        text.split { $0 == "," || $0 == "\n" }.map { TextValueDecoder.trimmed(String($0)) }
            .filter { !$0.isEmpty }
    }

    /// `Name <address>`.
    private static func person(_ text: String) -> Person {
        guard let open = text.firstIndex(of: "<"), text.hasSuffix(">") else {
            return Person(displayName: text)
        }
        let name = TextValueDecoder.trimmed(String(text[..<open]))
        let address = String(text[text.index(after: open)...].dropLast())
        return Person(displayName: name, handles: [address], handleIdentifier: "emailAddresses")
    }

    private static func number(
        _ field: Deb822Paragraph.Field?, scale: Double = 1
    ) throws(ImportRefusal) -> AttributeValue? {
        guard let field, !field.value.isEmpty else { return nil }
        do throws(ValueRefusal) {
            return .number(try TextValueDecoder().number(field.value, of: "the field") / scale)
        } catch {
            throw ImportRefusal(line: field.line, column: field.column, reason: error.reason)
        }
    }
}
