extension AttributeTable {
    /// What documents of text say about themselves.
    static let documents: [AttributeDefinition] = [
        row(
            "contentDescription", .string, .byDefault, weight: 2, length: 40,
            aliases: ["kMDItemDescription"]
        ),
        row("subject", .string, .byDefault, length: 8, aliases: ["kMDItemSubject"]),
        row("theme", .string, .byDefault),
        row("kind", .string, .byDefault),
        row("identifier", .string),
        row("audiences", .strings, .byDefault),
        row("creator", .string),
        row("encodingApplications", .strings),
        row("fontNames", .strings),
        row("securityMethod", .string),
        row("fileSize", .number),
        row("pageCount", .number, aliases: ["kMDItemNumberOfPages"]),
        row("pageWidth", .number),
        row("pageHeight", .number),
    ]
}
