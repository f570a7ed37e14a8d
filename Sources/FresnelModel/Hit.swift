/// One found document with what was asked for of it.
public struct Hit: Hashable, Sendable {
    /// The document's key.
    public var uniqueIdentifier: String
    /// The index it is in; two indexes may use the same identifiers.
    public var index: IndexName
    /// Product or activity.
    public var kind: DocumentKind
    /// How well it matches, comparable within one answer; nil where nothing was scored.
    public var score: Double?
    /// The attributes asked for that the document has.
    public var attributes: AttributeMap<AttributeValue>
    /// How the score came about; nil unless the request asks for it and the order scores.
    public var explanation: ScoreExplanation?
    /// What of the returned attributes the query matched, by attribute, element and part; nil where
    /// the request did not ask for it.
    public var highlights: [AttributeHighlights]?

    /// Makes a hit.
    public init(
        uniqueIdentifier: String, index: IndexName = .standard, kind: DocumentKind = .product,
        score: Double? = nil, attributes: AttributeMap<AttributeValue> = [:]
    ) {
        self.uniqueIdentifier = uniqueIdentifier
        self.index = index
        self.kind = kind
        self.score = score
        self.attributes = attributes
    }
}
