/// The value of one attribute of a document.
///
/// Empty strings, empty arrays and nulls are not values: they mean *absent*.
public enum AttributeValue: Hashable, Sendable {
    /// One text; also URLs and type identifiers.
    case string(String)
    /// Several texts, in the order given.
    case strings([String])
    /// One finite number.
    case number(Double)
    /// True or false, which are stored and compared as the numbers 1 and 0.
    case boolean(Bool)
    /// Several finite numbers.
    case numbers([Double])
    /// One point in time.
    case date(Timestamp)
    /// Several points in time.
    case dates([Timestamp])
    /// Opaque bytes: fetched, never searched.
    case bytes([UInt8])
    /// Several byte strings: fetched, never searched.
    case byteStrings([[UInt8]])
    /// People, searched by display name and handles.
    case persons([Person])
    /// One text in several languages; any variant matches.
    case localized(LocalizedString)
    /// Named lists of texts (`emailHeaders`): fetched, never searched.
    case dictionary([String: [String]])
}

/// A person, as `CSPerson`.
public struct Person: Hashable, Sendable {
    /// The name shown to people.
    public var displayName: String?
    /// Addresses or phone numbers.
    public var handles: [String]
    /// What kind of handle `handles` holds.
    public var handleIdentifier: String?
    /// The address-book entry.
    public var contactIdentifier: String?

    /// Makes a person.
    public init(
        displayName: String? = nil, handles: [String] = [], handleIdentifier: String? = nil,
        contactIdentifier: String? = nil
    ) {
        self.displayName = displayName
        self.handles = handles
        self.handleIdentifier = handleIdentifier
        self.contactIdentifier = contactIdentifier
    }
}

/// One text in several languages, as `CSLocalizedString`.
public struct LocalizedString: Hashable, Sendable {
    /// The text for a language that has no variant.
    public var defaultText: String
    /// BCP 47 language tag → text.
    public var variants: [String: String]

    /// Makes a localised text.
    public init(defaultText: String, variants: [String: String]) {
        self.defaultText = defaultText
        self.variants = variants
    }
}
