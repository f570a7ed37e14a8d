import FresnelModel
import FresnelWire

extension Chance {
    mutating func date() -> Timestamp { Timestamp(wholeSeconds: Int64(below(1 << 30))) }

    mutating func value() -> AttributeValue {
        switch below(11) {
        case 0: .string(text())
        case 1: .strings((0..<below(4)).map { _ in text() })
        case 2: .number(Double(below(1000)) / 8)
        case 3: .numbers((0..<below(4)).map { _ in Double(below(100)) })
        case 4: .date(date())
        case 5: .dates((0..<below(4)).map { _ in date() })
        case 6: .bytes(bytes(20))
        case 7: .byteStrings((0..<below(3)).map { _ in bytes(6) })
        case 8: .persons((0..<below(3)).map { _ in person() })
        case 9: .localized(LocalizedString(defaultText: text(), variants: ["de": text()]))
        default: .dictionary(["Subject": [text()], "X-\(below(9))": []])
        }
    }

    mutating func person() -> Person {
        Person(
            displayName: below(2) == 0 ? nil : text(), handles: (0..<below(3)).map { _ in text() },
            handleIdentifier: below(2) == 0 ? nil : text(),
            contactIdentifier: below(2) == 0 ? nil : text())
    }

    mutating func attributeName() -> String {
        below(3) == 0
            ? "com_example_key\(below(5))" : AttributeNumber.names[below(AttributeNumber.last)]
    }

    mutating func document(identifier: String? = nil) -> Document {
        var document = Document(uniqueIdentifier: identifier ?? "id-\(below(1000))")
        if below(2) == 0 { document.domainIdentifier = text() }
        if below(2) == 0 { document.expirationDate = date() }
        for _ in 0..<below(8) { document.attributes[attributeName()] = value() }
        guard below(3) == 0 else { return document }
        document.kind = .activity
        document.activity = ActivityDetails(
            activityType: text(), userInfo: below(2) == 0 ? nil : text(),
            requiredUserInfoKeys: (0..<below(3)).map { _ in text() },
            webpageURL: below(2) == 0 ? nil : text(),
            persistentIdentifier: below(2) == 0 ? nil : text(),
            targetContentIdentifier: below(2) == 0 ? nil : text())
        return document
    }

    mutating func patch() -> DocumentPatch {
        var patch = DocumentPatch(uniqueIdentifier: "id-\(below(1000))")
        if below(2) == 0 { patch.relatedUniqueIdentifier = text() }
        if below(2) == 0 { patch.domainIdentifier = below(2) == 0 ? .remove : .set(text()) }
        if below(2) == 0 { patch.expirationDate = below(2) == 0 ? .remove : .set(date()) }
        for _ in 0..<below(8) {
            patch.attributes[attributeName()] = below(3) == 0 ? .remove : .set(value())
        }
        return patch
    }
}
