import FresnelClient
import FresnelJSON
import FresnelModel

/// Limits, attributes and custom keys for people and programs.
enum DescriptionText {
    /// Three tables.
    static func lines(_ indexes: [ClusterStatus.Index]) -> [String] {
        var lines = limits() + [""] + attributes()
        for index in indexes where !index.customKeys.isEmpty {
            lines += ["", "custom keys of the index \(index.name)"]
            lines += index.customKeys.map { "  \($0)" }
        }
        return lines
    }

    /// The same as one object.
    static func json(_ indexes: [ClusterStatus.Index]) -> JSONValue {
        var keys = JSONObject()
        for index in indexes { keys[index.name] = .array(index.customKeys.map(json)) }
        return [
            "limits": .array(
                Limits.published.map { limit in
                    [
                        "name": .string(limit.name), "value": .integer(Int64(limit.value)),
                        "unit": .string(limit.unit), "reason": .string(limit.reason),
                    ]
                }),
            "attributes": .array(AttributeTable.all.map(json)), "customKeys": .object(keys),
        ]
    }

    /// A declared key.
    static func json(_ key: CustomAttributeKey) -> JSONValue {
        [
            "name": .string(key.name), "type": .string(Declaration.name(of: key.valueType)),
            "isSearchable": .bool(key.isSearchable),
            "isSearchableByDefault": .bool(key.isSearchableByDefault),
            "isUnique": .bool(key.isUnique), "isMultiValued": .bool(key.isMultiValued),
        ]
    }

    private static func limits() -> [String] {
        var table = Table([
            .init(title: "limit"), .init(title: "value", isNumber: true), .init(title: "unit"),
            .init(title: "reason"),
        ])
        return table.lines(
            Limits.published.map { [$0.name, "\($0.value)", $0.unit, $0.reason] })
    }

    private static func attributes() -> [String] {
        var table = Table([
            .init(title: ""), .init(title: "attribute"), .init(title: "type"),
            .init(title: "weight", isNumber: true), .init(title: "also known as"),
        ])
        return table.lines(
            AttributeTable.all.map { attribute in
                [
                    mark(of: attribute), attribute.name, Declaration.name(of: attribute.valueType),
                    attribute.weight > 0 ? ValueText.text(attribute.weight) : "",
                    attribute.aliases.joined(separator: ", "),
                ]
            })
    }

    private static func mark(of attribute: AttributeDefinition) -> String {
        if attribute.isSearchableByDefault { return "●" }
        return attribute.isTextContent ? "◐" : "○"
    }

    private static func json(_ attribute: AttributeDefinition) -> JSONValue {
        [
            "name": .string(attribute.name),
            "type": .string(Declaration.name(of: attribute.valueType)),
            "aliases": .array(attribute.aliases.map { .string($0) }),
            "isSearchableByDefault": .bool(attribute.isSearchableByDefault),
            "isTextContent": .bool(attribute.isTextContent), "weight": .number(attribute.weight),
        ]
    }

}
