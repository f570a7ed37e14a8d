/// What a column of a table becomes.
struct ColumnMapping: Hashable {
    enum Target: Hashable {
        case uniqueIdentifier
        case domainIdentifier
        case expirationDate
        case attribute(String, AttributeType)
        /// Not imported.
        case nothing
    }

    let column: String
    let target: Target

    /// Columns whose usual names are not the attributes' names.
    private static let aliases = [
        "id": "uniqueIdentifier", "description": "contentDescription",
        "price": "com_fresnel_price:number", "modified": "metadataModificationDate",
    ]

    /// Types that may follow a custom attribute's name after a colon.
    private static let types: [String: AttributeType] = [
        "string": .string, "strings": .strings, "number": .number, "numbers": .numbers,
        "boolean": .boolean, "date": .date, "dates": .dates, "url": .url,
    ]

    /// Finds the target of a column: as told, by an alias, else the attribute of the same name.
    init(
        _ column: String, told: [String: String], schema: AttributeSchema
    ) throws(ValueRefusal) {
        self.column = column
        target = try Self.target(
            named: told[column] ?? Self.aliases[column] ?? column, of: column, schema: schema)
    }

    private static func target(
        named text: String, of column: String, schema: AttributeSchema
    ) throws(ValueRefusal) -> Target {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        switch name {
        case "", "-": return .nothing
        case "uniqueIdentifier": return .uniqueIdentifier
        case "domainIdentifier": return .domainIdentifier
        case "expirationDate": return .expirationDate
        default: break
        }
        // What the index knows comes first: a type told here cannot change a declared key.
        if let definition = schema.definition(named: name) {
            return .attribute(definition.name, definition.valueType)
        }
        if let rule = CustomAttributeKey.brokenRule(of: name) {
            throw ValueRefusal(
                """
                column "\(column)" cannot become an attribute: \(rule); map it to another name, \
                or to - to leave it out
                """)
        }
        guard parts.count == 2 else { return .attribute(name, .string) }
        guard let type = types[String(parts[1])] else {
            throw ValueRefusal(
                """
                column "\(column)" is mapped to the type "\(parts[1])"; known are \
                \(types.keys.sorted().joined(separator: ", "))
                """)
        }
        return .attribute(name, type)
    }
}
