extension AttributeTable {
    /// What contains a document, what can be done with it, what it can become.
    static let actions: [AttributeDefinition] = [
        // Containment.
        row("containerTitle", .string, .byDefault),
        row("containerDisplayName", .string, .byDefault),
        row("containerIdentifier", .string),
        row("containerOrder", .number),
        // Actions.
        row("supportsPhoneCall", .boolean),
        row("supportsNavigation", .boolean),
        row("actionIdentifiers", .strings),
        row("sharedItemContentType", .string),
        // Promises: one type identifier stands in only one of the three lists.
        row("providerDataTypeIdentifiers", .strings),
        row("providerFileTypeIdentifiers", .strings),
        row("providerInPlaceFileTypeIdentifiers", .strings),
    ]
}
