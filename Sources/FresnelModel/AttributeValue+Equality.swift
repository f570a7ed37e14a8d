// Two spellings of one text are two values: facets count each, and both are stored as they came.
// Hashes stay those of strings, which equal bytes share.

extension AttributeValue {
    /// Whether both are the same value, texts byte by byte.
    public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.string(let mine), .string(let other)): mine.hasSameBytes(as: other)
        case (.strings(let mine), .strings(let other)): mine.hasSameBytes(as: other)
        case (.number(let mine), .number(let other)): mine == other
        case (.boolean(let mine), .boolean(let other)): mine == other
        case (.numbers(let mine), .numbers(let other)): mine == other
        case (.date(let mine), .date(let other)): mine == other
        case (.dates(let mine), .dates(let other)): mine == other
        case (.bytes(let mine), .bytes(let other)): mine == other
        case (.byteStrings(let mine), .byteStrings(let other)): mine == other
        case (.persons(let mine), .persons(let other)): mine == other
        case (.localized(let mine), .localized(let other)): mine == other
        case (.dictionary(let mine), .dictionary(let other)):
            areSame(mine, other) { $0.hasSameBytes(as: $1) }
        case (.string, _), (.strings, _), (.number, _), (.boolean, _), (.numbers, _), (.date, _),
            (.dates, _), (.bytes, _), (.byteStrings, _), (.persons, _), (.localized, _),
            (.dictionary, _):
            false
        }
    }
}

extension Person {
    /// Whether both are the same person, byte by byte.
    public static func == (left: Person, right: Person) -> Bool {
        left.displayName.hasSameBytes(as: right.displayName)
            && left.handles.hasSameBytes(as: right.handles)
            && left.handleIdentifier.hasSameBytes(as: right.handleIdentifier)
            && left.contactIdentifier.hasSameBytes(as: right.contactIdentifier)
    }
}

extension LocalizedString {
    /// Whether both have the same texts for the same languages, byte by byte.
    public static func == (left: LocalizedString, right: LocalizedString) -> Bool {
        left.defaultText.hasSameBytes(as: right.defaultText)
            && areSame(left.variants, right.variants) { $0.hasSameBytes(as: $1) }
    }
}

extension Document {
    /// Whether both are the same document, identifiers and texts byte by byte.
    public static func == (left: Document, right: Document) -> Bool {
        left.uniqueIdentifier.hasSameBytes(as: right.uniqueIdentifier)
            && left.domainIdentifier.hasSameBytes(as: right.domainIdentifier)
            && left.kind == right.kind && left.expirationDate == right.expirationDate
            && left.attributes == right.attributes && left.activity == right.activity
    }
}

extension ActivityDetails {
    /// Whether both are the same details, byte by byte.
    public static func == (left: ActivityDetails, right: ActivityDetails) -> Bool {
        left.activityType.hasSameBytes(as: right.activityType)
            && left.userInfo.hasSameBytes(as: right.userInfo)
            && left.requiredUserInfoKeys.hasSameBytes(as: right.requiredUserInfoKeys)
            && left.webpageURL.hasSameBytes(as: right.webpageURL)
            && left.persistentIdentifier.hasSameBytes(as: right.persistentIdentifier)
            && left.targetContentIdentifier.hasSameBytes(as: right.targetContentIdentifier)
    }
}

extension DocumentPatch {
    /// Whether both change the same document alike, identifiers and texts byte by byte.
    public static func == (left: DocumentPatch, right: DocumentPatch) -> Bool {
        left.uniqueIdentifier.hasSameBytes(as: right.uniqueIdentifier)
            && left.relatedUniqueIdentifier.hasSameBytes(as: right.relatedUniqueIdentifier)
            && isSame(left.domainIdentifier, right.domainIdentifier)
            && left.expirationDate == right.expirationDate && left.attributes == right.attributes
    }

    private static func isSame(_ left: Change<String>?, _ right: Change<String>?) -> Bool {
        switch (left, right) {
        case (nil, nil), (.remove?, .remove?): true
        case (.set(let mine)?, .set(let other)?): mine.hasSameBytes(as: other)
        case (nil, _), (.remove?, _), (.set?, _): false
        }
    }
}

extension Hit {
    /// Whether both are the same hit, identifiers and texts byte by byte.
    public static func == (left: Hit, right: Hit) -> Bool {
        left.uniqueIdentifier.hasSameBytes(as: right.uniqueIdentifier)
            && left.index == right.index && left.kind == right.kind && left.score == right.score
            && left.attributes == right.attributes && left.explanation == right.explanation
            && left.highlights == right.highlights
    }
}

extension ScoreExplanation.Term {
    /// Whether both explain the same predicate alike, its text byte by byte.
    public static func == (left: ScoreExplanation.Term, right: ScoreExplanation.Term) -> Bool {
        left.query.hasSameBytes(as: right.query) && left.documents == right.documents
            && left.matching == right.matching && left.rarity == right.rarity
            && left.attributes == right.attributes && left.weighted == right.weighted
            && left.contribution == right.contribution
    }
}

/// Whether two tables have the same keys, byte by byte, with the same values.
private func areSame<Value>(
    _ left: [String: Value], _ right: [String: Value], _ isSame: (Value, Value) -> Bool
) -> Bool {
    left.count == right.count
        && left.allSatisfy { key, value in
            guard let place = right.index(forKey: key) else { return false }
            return right[place].key.hasSameBytes(as: key) && isSame(value, right[place].value)
        }
}
