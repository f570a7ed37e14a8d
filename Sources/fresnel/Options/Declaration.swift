import FresnelModel

/// `--declare name:type[:default][:multi][:unique]`.
enum Declaration {
    /// The names of types, as they are written on the command line and in JSON.
    static let typeNames: [(name: String, type: AttributeType)] = [
        ("string", .string), ("strings", .strings), ("number", .number), ("numbers", .numbers),
        ("boolean", .boolean), ("date", .date), ("dates", .dates), ("bytes", .bytes),
        ("byteStrings", .byteStrings), ("url", .url), ("persons", .persons),
        ("dictionary", .dictionary),
    ]

    /// The name of a type.
    static func name(of type: AttributeType) -> String {
        typeNames.first { $0.type == type }?.name ?? "\(type)"
    }

    /// Reads one declaration.
    static func parse(_ text: String) throws -> CustomAttributeKey {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, let type = typeNames.first(where: { $0.name == parts[1] })?.type
        else {
            let known = typeNames.map(\.name).joined(separator: ", ")
            throw CommandError.usage(
                "--declare takes NAME:TYPE with a type of \(known), not "
                    + "\"\(text)\"")
        }
        let flags = parts.dropFirst(2)
        if let unknown = flags.first(where: { !["default", "multi", "unique"].contains($0) }) {
            throw CommandError.usage(
                "--declare \(text): \"\(unknown)\" is none of default, multi, unique")
        }
        do throws(SchemaError) {
            return try CustomAttributeKey(
                parts[0], type, isSearchableByDefault: flags.contains("default"),
                isUnique: flags.contains("unique"),
                isMultiValued: flags.contains("multi") ? true : nil)
        } catch {
            throw CommandError.usage("--declare \(text): \(error)")
        }
    }
}
