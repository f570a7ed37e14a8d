import FresnelModel

/// Attribute values for people.
enum ValueText {
    /// The value on one line.
    static func text(_ value: AttributeValue?) -> String {
        switch value {
        case nil: ""
        case .string(let text): text
        case .strings(let texts): texts.joined(separator: ", ")
        case .number(let number): text(number)
        case .boolean(let truth): truth ? "true" : "false"
        case .numbers(let numbers): numbers.map(text).joined(separator: ", ")
        case .date(let date): date.description
        case .dates(let dates): dates.map(\.description).joined(separator: ", ")
        case .bytes(let bytes): "\(bytes.count) bytes"
        case .byteStrings(let strings): strings.map { "\($0.count) bytes" }.joined(separator: ", ")
        case .persons(let persons):
            persons.map { $0.displayName ?? $0.handles.first ?? "" }.joined(separator: ", ")
        case .localized(let text): text.defaultText
        case .dictionary(let lists):
            lists.keys.sorted().map { "\($0): \((lists[$0] ?? []).joined(separator: ", "))" }
                .joined(separator: "; ")
        }
    }

    /// A number without needless digits.
    static func text(_ number: Double) -> String {
        Int64(exactly: number).map { String($0) } ?? String(number)
    }

    /// A score: four digits are enough for eyes.
    static func score(_ score: Double?) -> String {
        guard let score else { return "" }
        let scaled = Int((score * 1000).rounded())
        let digits = String(scaled % 1000)
        return "\(scaled / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// A count with its noun.
    static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
