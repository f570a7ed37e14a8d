/// What a column of a table becomes.
struct ColumnMapping: Hashable {
    enum Target: Hashable {
        case uniqueIdentifier
        case domainIdentifier
        case expirationDate
        case attribute(String, AttributeType)
        /// Not imported.
        case nothing
        /// Without a name, as behind the last comma of a row: its cells must be empty.
        case unnamed

        /// Whether several columns may become it.
        var isRepeatable: Bool { self == .nothing || self == .unnamed }
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
        if let text = told[column] {
            target = try Self.target(told: text, of: column, schema: schema)
        } else if column.isEmpty {
            target = .unnamed
        } else {
            let usual = Self.usualName(of: column, schema)
            let isTaken = usual == "uniqueIdentifier" && Self.nameIdentifier(told)
            // The type of an alias is only a guess, which a declared key may correct.
            target = try Self.target(named: isTaken ? column : usual, of: column, schema: schema)
        }
    }

    /// Whether mappings say which column names the documents: `id` is like any other then.
    static func nameIdentifier(_ told: [String: String]) -> Bool {
        told.values.contains { parts(of: $0)[0] == "uniqueIdentifier" }
    }

    /// The attribute that a column's name means: as it is, whatever its capitals, or with `_` for
    /// what an attribute's name may not have.
    private static func usualName(of column: String, _ schema: AttributeSchema) -> String {
        if let alias = aliases[column] { return alias }
        if schema.definition(named: column) != nil { return column }
        let lower = column.lowercased()
        if let alias = aliases[lower] { return alias }
        if AttributeTable.definition(named: lower) != nil { return lower }
        return AttributeNaming.attribute(of: column)
    }

    /// The target that somebody chose: a type that is not the attribute's own is refused.
    static func target(
        told text: String, of column: String, schema: AttributeSchema
    ) throws(ValueRefusal) -> Target {
        let target = try target(named: text, of: column, schema: schema)
        let parts = parts(of: text)
        guard parts.count == 2 else { return target }
        let wanted = try type(named: parts[1], of: column)
        let known: AttributeType
        switch target {
        case .nothing, .unnamed: return target
        case .uniqueIdentifier, .domainIdentifier: known = .string
        case .expirationDate: known = .date
        case .attribute(_, let type): known = type
        }
        // A key that the index took over from documents may have learnt it from a list.
        let isCustom = AttributeTable.definition(named: parts[0]) == nil
        guard wanted == known || isCustom && wanted.multiValued == known.multiValued else {
            throw ValueRefusal(
                """
                column "\(column)" is mapped to \(text), but the type of \(parts[0]) is \
                \(known); leave the type out
                """)
        }
        return target
    }

    private static func target(
        named text: String, of column: String, schema: AttributeSchema
    ) throws(ValueRefusal) -> Target {
        let parts = parts(of: text)
        switch parts[0] {
        case "", "-": return .nothing
        case "uniqueIdentifier": return .uniqueIdentifier
        case "domainIdentifier": return .domainIdentifier
        case "expirationDate": return .expirationDate
        default: break
        }
        // What the index knows comes first: a type told here cannot change a declared key.
        if let definition = schema.definition(named: parts[0]) {
            return .attribute(definition.name, definition.valueType)
        }
        if let rule = CustomAttributeKey.brokenRule(of: parts[0]) {
            throw ValueRefusal(
                """
                column "\(column)" cannot become an attribute: \(rule); map it to another name, \
                or to - to leave it out
                """)
        }
        guard parts.count == 2 else { return .attribute(parts[0], .string) }
        return .attribute(parts[0], try type(named: parts[1], of: column))
    }

    /// The name, and the type where one is given.
    private static func parts(of text: String) -> [String] {
        text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
    }

    private static func type(
        named name: String, of column: String
    ) throws(ValueRefusal) -> AttributeType {
        guard let type = types[name] else {
            throw ValueRefusal(
                """
                column "\(column)" is mapped to the type "\(name)"; known are \
                \(types.keys.sorted().joined(separator: ", "))
                """)
        }
        return type
    }
}

extension ImportOptions {
    /// Checks what columns are mapped to, before a source is opened.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` for a name that cannot be an attribute's,
    ///   an unknown type, or one that is not the attribute's.
    package func checkColumns() throws(SearchError) {
        for (column, text) in columns.sorted(by: { $0.key < $1.key }) {
            do throws(ValueRefusal) {
                _ = try ColumnMapping.target(told: text, of: column, schema: schema)
            } catch {
                throw SearchError(.invalidArgument, error.reason)
            }
        }
    }
}
