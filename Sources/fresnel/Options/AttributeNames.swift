/// `--attributes title,rating`.
enum AttributeNames {
    /// Reads the names; none from blank text, like an order.
    static func parse(_ text: String) throws(CommandError) -> [String] {
        guard text.contains(where: { $0 != " " }) else { return [] }
        var names: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var name = part.drop { $0 == " " }
            while name.last == " " { name.removeLast() }
            guard !name.isEmpty else {
                throw .usage(
                    "--attributes takes names with commas between them, and one of \"\(text)\" "
                        + "is empty")
            }
            names.append(String(name))
        }
        return names
    }
}
