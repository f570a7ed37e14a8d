extension AttributeHighlights {
    /// One entry for each text, ordered by attribute (UTF-8), element and part; no empty entry, and
    /// no more ranges than `Limits.highlightsPerDocument`.
    ///
    /// A variant whose language is longer than an attribute's name can be is left out: no tag is.
    package static func normal(_ highlights: [AttributeHighlights]) -> [AttributeHighlights] {
        withinLimit(united(highlights.filter(\.isNameable)))
    }

    private static func united(_ highlights: [AttributeHighlights]) -> [AttributeHighlights] {
        var normal: [AttributeHighlights] = []
        for entry in highlights.sorted(by: { $0.precedes($1) }) where !entry.ranges.isEmpty {
            if let last = normal.last, !last.precedes(entry) {
                normal[normal.count - 1] = AttributeHighlights(
                    attribute: last.attribute, element: last.element, part: last.part,
                    ranges: last.ranges + entry.ranges,
                    isComplete: last.isComplete && entry.isComplete)
            } else {
                normal.append(entry)
            }
        }
        return normal
    }

    private static func withinLimit(_ entries: [AttributeHighlights]) -> [AttributeHighlights] {
        var left = Limits.highlightsPerDocument
        for (position, entry) in entries.enumerated() {
            guard entry.ranges.count >= left else {
                left -= entry.ranges.count
                continue
            }
            let isComplete = entry.ranges.count == left && position == entries.count - 1
            let last = AttributeHighlights(
                attribute: entry.attribute, element: entry.element, part: entry.part,
                ranges: Array(entry.ranges.prefix(left)),
                isComplete: isComplete && entry.isComplete)
            return entries[..<position] + [last]
        }
        return entries
    }

    private var isNameable: Bool {
        guard case .variant(let language) = part else { return true }
        return language.utf8.count <= Limits.attributeNameBytes
    }

    /// Whether the text of `self` comes before that of `other`; false for the same text.
    package func precedes(_ other: AttributeHighlights) -> Bool {
        if !attribute.utf8.elementsEqual(other.attribute.utf8) {
            return attribute.utf8.lexicographicallyPrecedes(other.attribute.utf8)
        }
        return element == other.element ? part.precedes(other.part) : element < other.element
    }
}

extension AttributeHighlights.Part {
    fileprivate func precedes(_ other: AttributeHighlights.Part) -> Bool {
        switch (self, other) {
        case (.variant(let left), .variant(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.handle(let left), .handle(let right)): left < right
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .text: 0
        case .variant: 1
        case .displayName: 2
        case .handle: 3
        }
    }
}
