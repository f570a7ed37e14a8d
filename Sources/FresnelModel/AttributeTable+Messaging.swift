extension AttributeTable {
    /// What mail and messages say, and what machines write about them.
    static let messaging: [AttributeDefinition] = [
        // Messaging.
        row("textContent", .string, .textContent, length: 300, aliases: ["kMDItemTextContent"]),
        row("HTMLContentData", .bytes, .textContent, length: 300, aliases: ["htmlContentData"]),
        row("authorNames", .strings, .byDefault, aliases: ["kMDItemAuthors"]),
        row("recipientNames", .strings, .byDefault),
        row("authors", .persons, .byDefault),
        row("primaryRecipients", .persons, .byDefault),
        row("additionalRecipients", .persons, .byDefault),
        row("hiddenAdditionalRecipients", .persons),
        row("authorAddresses", .strings, .byDefault),
        row("authorEmailAddresses", .strings, .byDefault),
        row("recipientAddresses", .strings, .byDefault),
        row("recipientEmailAddresses", .strings, .byDefault),
        row("emailAddresses", .strings, .byDefault),
        row("phoneNumbers", .strings, .byDefault),
        row("instantMessageAddresses", .strings, .byDefault),
        row("emailHeaders", .dictionary),
        row("accountIdentifier", .string),
        row("accountHandles", .strings),
        row("mailboxIdentifiers", .strings),
        row("likelyJunk", .boolean),
        // Written by machines.
        row("isPriority", .boolean),
        row("textContentSummary", .string, .byDefault, length: 30),
        row("transcribedTextContent", .string, .textContent, length: 300),
    ]
}
