extension Document {
    /// The document this one is about and lives beside; nil when it stands alone.
    ///
    /// It must be there, and must not be about another one in turn. When it is deleted, this one
    /// goes too. A document that names itself stands alone, as if it named nobody.
    public var relatedUniqueIdentifier: String? {
        guard case .string(let identifier)? = attributes["relatedUniqueIdentifier"],
            !identifier.isEmpty
        else { return nil }
        return identifier
    }

    /// The text whose hash chooses the shard.
    public var routingKey: String { relatedUniqueIdentifier ?? uniqueIdentifier }

    /// Whether the routing key is another text than the identifier, byte by byte.
    package var isRoutedByRelation: Bool {
        relatedUniqueIdentifier.map { !$0.hasSameBytes(as: uniqueIdentifier) } ?? false
    }
}

extension DocumentPatch {
    /// The text whose hash chooses the shard.
    public var routingKey: String { relatedUniqueIdentifier ?? uniqueIdentifier }

    /// Whether the routing key is another text than the identifier, byte by byte.
    package var isRoutedByRelation: Bool {
        relatedUniqueIdentifier.map { !$0.hasSameBytes(as: uniqueIdentifier) } ?? false
    }
}
