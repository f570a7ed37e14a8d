// The size of a document without an encoder: what its texts, numbers and bytes hold. The wire
// encoding adds a few bytes per value and is checked against the same limit by its encoder.

extension Document {
    /// Bytes of the document's contents: names, UTF-8 of texts, 8 for each number or date.
    public var contentBytes: Int {
        var bytes = uniqueIdentifier.utf8.count + (domainIdentifier?.utf8.count ?? 0)
        for (name, value) in attributes { bytes += name.utf8.count + value.contentBytes }
        return bytes + (activity?.contentBytes ?? 0)
    }
}

extension DocumentPatch {
    /// Bytes of the patch's contents, counted as for a document.
    public var contentBytes: Int {
        var bytes = uniqueIdentifier.utf8.count + (domainIdentifier?.value?.utf8.count ?? 0)
        for (name, change) in attributes {
            bytes += name.utf8.count + (change.value?.contentBytes ?? 0)
        }
        return bytes
    }
}

extension ActivityDetails {
    var contentBytes: Int {
        [activityType, userInfo, webpageURL, persistentIdentifier, targetContentIdentifier]
            .reduce(0) { $0 + ($1?.utf8.count ?? 0) }
            + requiredUserInfoKeys.reduce(0) { $0 + $1.utf8.count }
    }
}

extension AttributeValue {
    /// Bytes of the value's contents: UTF-8 of texts, 8 for each number or date.
    public var contentBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .strings(let texts): texts.reduce(0) { $0 + $1.utf8.count }
        case .number, .boolean, .date: 8
        case .numbers(let numbers): numbers.count * 8
        case .dates(let dates): dates.count * 8
        case .bytes(let bytes): bytes.count
        case .byteStrings(let strings): strings.reduce(0) { $0 + $1.count }
        case .persons(let persons): persons.reduce(0) { $0 + $1.contentBytes }
        case .localized(let text):
            text.variants.reduce(text.defaultText.utf8.count) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
        case .dictionary(let lists):
            lists.reduce(0) { sum, list in
                list.value.reduce(sum + list.key.utf8.count) { $0 + $1.utf8.count }
            }
        }
    }
}

extension Person {
    var contentBytes: Int {
        let fields = [displayName, handleIdentifier, contactIdentifier]
        return fields.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
            + handles.reduce(0) { $0 + $1.utf8.count }
    }
}
