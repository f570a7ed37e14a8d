import FresnelModel

/// Where the cells of a table of hits are to be marked.
enum HighlightMarks {
    /// The UTF-8 ranges of `ValueText.text` of an attribute in which the query matched.
    static func ranges(of attribute: String, in hit: Hit) -> [Range<Int>] {
        guard let highlights = hit.highlights else { return [] }
        let entries = highlights.filter { $0.attribute == attribute }
        return entries.flatMap { entry -> [Range<Int>] in
            guard let start = start(of: entry, in: hit.attributes[attribute]) else { return [] }
            return entry.ranges.map { $0.lowerBound + start..<$0.upperBound + start }
        }
    }

    /// Where a text stands among those that are shown; nil when it is not shown.
    private static func start(
        of entry: AttributeHighlights, in value: AttributeValue?
    ) -> Int? {
        switch (value, entry.part) {
        // The identifier stands beside the attributes.
        case (nil, .text), (.string, .text), (.localized, .text): 0
        case (.strings(let texts), .text): start(of: entry.element, in: texts)
        case (.persons(let people), let part): start(of: entry.element, part, in: people)
        default: nil
        }
    }

    private static func start(of element: Int, in texts: [String]) -> Int? {
        guard element < texts.count else { return nil }
        return texts[..<element].reduce(0) { $0 + $1.utf8.count + 2 }
    }

    private static func start(
        of element: Int, _ part: AttributeHighlights.Part, in people: [Person]
    ) -> Int? {
        guard element < people.count else { return nil }
        let isShown =
            people[element].displayName == nil ? part == .handle(0) : part == .displayName
        guard isShown else { return nil }
        return start(
            of: element, in: people.map { $0.displayName ?? $0.handles.first ?? "" })
    }
}
