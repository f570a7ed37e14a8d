/// What the cluster knows about one attribute: its type, and how it takes part in a search.
public struct AttributeDefinition: Hashable, Sendable {
    /// The name in its canonical, Objective-C, spelling.
    public let name: String
    /// Other spellings a query may use: the Swift property, the metadata key of a file.
    public let aliases: [String]
    /// The type of its values.
    public let valueType: AttributeType
    /// Whether a query may name the attribute; false only for a custom key that says so.
    public let isSearchable: Bool
    /// Whether `*` and `**` cover the attribute.
    public let isSearchableByDefault: Bool
    /// Whether the attribute is text content: covered by `**` alone, always word based.
    public let isTextContent: Bool
    /// Whether the values come from a small set and are worth interning.
    public let isInterned: Bool
    /// Factor of the field in BM25F; 0 for attributes that hold no text.
    public let weight: Double
    /// Field length in terms at which BM25F neither raises nor lowers a score.
    ///
    /// A constant instead of the average of a shard, so that a score does not depend on sharding.
    public let referenceLength: Double

    /// Whether the attribute is a custom one, declared by the owner of the index.
    public let isCustom: Bool

    /// Whether `**` covers the attribute.
    public var isCoveredByContentWildcard: Bool { isSearchableByDefault || isTextContent }

    /// Whether one document may have several values of the attribute.
    public var isMultiValued: Bool { valueType.isMultiValued }
}

extension AttributeDefinition {
    /// Field weight of a text attribute that has none of its own.
    static let ordinaryWeight: Double = 1.5
    /// Field weight of text content.
    static let contentWeight: Double = 1
    /// Reference length of an attribute that has none of its own, in terms.
    static let ordinaryLength: Double = 4

    /// The definition of a custom attribute.
    init(_ key: CustomAttributeKey) {
        name = key.name
        aliases = []
        valueType = key.isMultiValued ? key.valueType.multiValued : key.valueType
        isSearchable = key.isSearchable
        isSearchableByDefault =
            key.isSearchable && key.isSearchableByDefault && key.valueType.isText
        isTextContent = false
        isInterned = key.isUnique
        weight = key.valueType.isText ? Self.ordinaryWeight : 0
        referenceLength = Self.ordinaryLength
        isCustom = true
    }
}

extension AttributeValue {
    /// Whether the value can stand in this attribute.
    ///
    /// A Boolean key of an index takes every number: mostly nobody declared it, and the first
    /// document of many had `false` where others have a number.
    func fits(_ definition: AttributeDefinition) -> Bool {
        fits(definition.valueType)
            || definition.isCustom && definition.valueType == .boolean && type == .number
    }
}
