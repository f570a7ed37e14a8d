/// Which type identifiers conform to which: `public.jpeg` is an image, is data, is an item.
///
/// Applications set only `contentType`, but filters ask `contentTypeTree`, so the tree is filled in
/// before a document is stored.
public enum ContentTypes {
    /// A type and all types it conforms to, nearest first; an unknown type stands alone.
    ///
    /// - Parameters:
    ///   - type: a uniform type identifier.
    ///   - extra: types of the owner's own → what they conform to; they add to the known ones.
    public static func tree(of type: String, extra: [String: [String]] = [:]) -> [String] {
        var tree = [type]
        var seen: Set<ExactText> = [ExactText(type)]
        var position = 0
        while position < tree.count {
            let current = tree[position]
            position += 1
            let parents = (extra[current] ?? []) + (conformance[current] ?? [])
            for parent in parents where seen.insert(ExactText(parent)).inserted {
                tree.append(parent)
            }
        }
        return tree
    }

    /// The tree to store: the expansion of the type, then what was sent beyond it.
    public static func expanded(
        contentType: String?, tree sent: [String], extra: [String: [String]] = [:]
    ) -> [String] {
        var expanded = contentType.map { tree(of: $0, extra: extra) } ?? []
        var seen = Set(expanded.map(ExactText.init))
        for type in sent where seen.insert(ExactText(type)).inserted {
            expanded.append(type)
        }
        return expanded
    }

    /// Type → the types it conforms to directly.
    static let conformance: [String: [String]] = [
        basicTypes, textTypes, imageTypes, audiovisualTypes, documentTypes, archiveTypes,
    ].reduce(into: [:]) { all, group in
        all.merge(group) { first, _ in first }
    }
}
