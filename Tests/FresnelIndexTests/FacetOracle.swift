import FresnelModel
import FresnelText
import FresnelWire

/// Facets as the plainest code over whole documents.
enum FacetOracle {
    /// A value as it is compared in tests: its kind, its number, its text.
    struct Value: Hashable {
        var kind = 0
        var number = 0.0
        var text = ""

        /// Two spellings of one text are two values.
        static func == (left: Value, right: Value) -> Bool {
            left.kind == right.kind && left.number == right.number
                && left.text.utf8.elementsEqual(right.text.utf8)
        }
    }

    /// The distinct values of one attribute of a document.
    static func values(of attribute: String, in document: Document) -> Set<Value> {
        if attribute == "documentKind" { return [Value(kind: 2, text: document.kind.rawValue)] }
        if attribute == "index" { return [Value(kind: 2, text: "default")] }
        let domain = attribute == "domainIdentifier" ? document.domainIdentifier : nil
        switch domain.map({ .string($0) }) ?? document.attributes[attribute] {
        case .string(let text): return [Value(kind: 2, text: text)]
        case .strings(let texts): return Set(texts.map { Value(kind: 2, text: $0) })
        case .number(let number): return [Value(number: number)]
        case .boolean(let truth): return [Value(number: truth ? 1 : 0)]
        case .numbers(let numbers): return Set(numbers.map { Value(number: $0) })
        case .date(let date): return [Value(kind: 1, number: date.seconds)]
        case .dates(let dates): return Set(dates.map { Value(kind: 1, number: $0.seconds) })
        case .localized(let text): return [Value(kind: 2, text: text.defaultText)]
        case .persons(let people):
            return Set(
                people.compactMap { $0.displayName ?? $0.handles.first }
                    .map { Value(kind: 2, text: $0) })
        case .bytes, .byteStrings, .dictionary, nil: return []
        }
    }

    /// What an exact count of documents says, all values.
    static func counts(
        of attribute: String, in documents: [Document]
    ) -> (values: [Value], counts: [UInt64], documents: UInt64, missing: UInt64) {
        var counts: [Value: UInt64] = [:]
        var having: UInt64 = 0
        for document in documents {
            let values = values(of: attribute, in: document)
            if !values.isEmpty { having += 1 }
            for value in values { counts[value, default: 0] += 1 }
        }
        let ordered = counts.sorted { left, right in
            left.value == right.value
                ? precedes(left.key, right.key) : left.value > right.value
        }
        return (
            ordered.map(\.key), ordered.map(\.value), having, UInt64(documents.count) - having
        )
    }

    private static func precedes(_ left: Value, _ right: Value) -> Bool {
        if left.kind != right.kind { return left.kind < right.kind }
        if left.number != right.number { return left.number < right.number }
        let (mine, other) = (foldedKey(of: left.text), foldedKey(of: right.text))
        return mine == other
            ? left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
            : mine.lexicographicallyPrecedes(other)
    }
}

extension FacetOracle.Value {
    init(_ value: WireFacetValue) {
        switch value.value {
        case .number(let number): self.init(number: number)
        case .date(let date): self.init(kind: 1, number: date)
        case .text(let text): self.init(kind: 2, text: text)
        case nil: self.init(kind: 9)
        }
    }
}
