/// One stored thing: a product or an activity (`CSSearchableItem`, `NSUserActivity`).
public struct Document: Hashable, Sendable {
    /// The key for replacing, updating and deleting; unique inside its index.
    public var uniqueIdentifier: String
    /// Owner or group for bulk deletion, parts joined by `.`.
    public var domainIdentifier: String?
    /// Product or activity.
    public var kind: DocumentKind
    /// When the document vanishes; nil leaves that to its index, whose documents never do unless it
    /// was made with an expiration.
    public var expirationDate: Timestamp?
    /// Attribute name → value; no empty values.
    public var attributes: AttributeMap<AttributeValue>
    /// What only an activity has; nil for a product.
    public var activity: ActivityDetails?

    /// Makes a document.
    public init(
        uniqueIdentifier: String, domainIdentifier: String? = nil, kind: DocumentKind = .product,
        expirationDate: Timestamp? = nil, attributes: AttributeMap<AttributeValue> = [:],
        activity: ActivityDetails? = nil
    ) {
        self.uniqueIdentifier = uniqueIdentifier
        self.domainIdentifier = domainIdentifier
        self.kind = kind
        self.expirationDate = expirationDate
        self.attributes = attributes
        self.activity = activity
    }
}

/// The two kinds of document.
public enum DocumentKind: String, Hashable, Sendable, CaseIterable {
    /// An item of the catalogue (`CSSearchableItem`).
    case product
    /// A record of use (`NSUserActivity`).
    case activity
}

/// The fields of an activity beside its attributes, as `NSUserActivity` has them.
public struct ActivityDetails: Hashable, Sendable {
    /// Reverse-DNS type.
    public var activityType: String
    /// State to restore, as one JSON object text; opaque to the cluster.
    public var userInfo: String?
    /// The keys of `userInfo` needed to restore.
    public var requiredUserInfoKeys: [String]
    /// The web equivalent.
    public var webpageURL: String?
    /// The owner's id for later deletion.
    public var persistentIdentifier: String?
    /// Routes to the right window.
    public var targetContentIdentifier: String?

    /// Makes the details of an activity.
    public init(
        activityType: String, userInfo: String? = nil, requiredUserInfoKeys: [String] = [],
        webpageURL: String? = nil, persistentIdentifier: String? = nil,
        targetContentIdentifier: String? = nil
    ) {
        self.activityType = activityType
        self.userInfo = userInfo
        self.requiredUserInfoKeys = requiredUserInfoKeys
        self.webpageURL = webpageURL
        self.persistentIdentifier = persistentIdentifier
        self.targetContentIdentifier = targetContentIdentifier
    }
}

/// A change to some fields of a document that exists (`CSSearchableItem.isUpdate`).
///
/// Three states per attribute: not in `attributes` leaves it, `.remove` removes it, `.set` sets it.
public struct DocumentPatch: Hashable, Sendable {
    /// What happens to one field.
    public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The field becomes absent (for `expirationDate`: the default again).
        case remove
        /// The field takes this value.
        case set(Value)
    }

    /// Which document.
    public var uniqueIdentifier: String
    /// Routes the patch: the document's `relatedUniqueIdentifier` where it has one.
    public var relatedUniqueIdentifier: String?
    /// Nil leaves the domain.
    public var domainIdentifier: Change<String>?
    /// Nil leaves the date.
    public var expirationDate: Change<Timestamp>?
    /// Only the attributes that change.
    public var attributes: AttributeMap<Change<AttributeValue>>

    /// Makes a patch.
    public init(
        uniqueIdentifier: String, relatedUniqueIdentifier: String? = nil,
        domainIdentifier: Change<String>? = nil, expirationDate: Change<Timestamp>? = nil,
        attributes: AttributeMap<Change<AttributeValue>> = [:]
    ) {
        self.uniqueIdentifier = uniqueIdentifier
        self.relatedUniqueIdentifier = relatedUniqueIdentifier
        self.domainIdentifier = domainIdentifier
        self.expirationDate = expirationDate
        self.attributes = attributes
    }
}
