extension AttributeTable {
    /// What every document may say about itself.
    static let general: [AttributeDefinition] = [
        row("title", .string, .byDefault, weight: 8, length: 6, aliases: ["kMDItemTitle"]),
        row(
            "displayName", .string, .byDefault, weight: 6, length: 6,
            aliases: ["kMDItemDisplayName"]
        ),
        row("alternateNames", .strings, .byDefault, weight: 6, length: 6),
        row("keywords", .strings, .byDefault, weight: 3, length: 4, aliases: ["kMDItemKeywords"]),
        row("contentType", .string, aliases: ["kMDItemContentType"]),
        row("contentTypeTree", .strings, aliases: ["kMDItemContentTypeTree"]),
        row("contentURL", .url),
        row("path", .string),
        row("thumbnailData", .bytes),
        row("thumbnailURL", .url),
        row("darkThumbnailURL", .url),
        row("metadataModificationDate", .date),
        row("version", .string),
        row("domainIdentifier", .string),
        row("relatedUniqueIdentifier", .string),
        row("weakRelatedUniqueIdentifier", .string),
        row("rankingHint", .number),
        row("userCreated", .boolean),
        row("userOwned", .boolean),
        row("userCurated", .boolean),
    ]
}
