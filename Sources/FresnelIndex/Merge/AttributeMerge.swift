import FresnelKernels

/// Merges what several segments have of one attribute.
struct AttributeMerge {
    private let name: String
    private let numbers: [[DocumentNumber]]
    private let parts: [(source: Int, ordinal: AttributeOrdinal, attribute: SegmentAttribute)]

    init(name: String, sources: [MergeSource], numbers: [[DocumentNumber]]) {
        self.name = name
        self.numbers = numbers
        parts = sources.enumerated().compactMap { index, source in
            source.segment.ordinal(of: name).map {
                (index, $0, source.segment.attributes[Int($0)])
            }
        }
    }

    /// The sources that have the attribute, and its ordinal there.
    var ordinals: [(source: Int, ordinal: AttributeOrdinal)] {
        parts.map { ($0.source, $0.ordinal) }
    }

    /// The merged contents, or nil when no living document has a value.
    func merged() -> AttributeContents? {
        var contents = AttributeContents(name: name)
        let ranks = mergeValues(into: &contents.values)
        for (place, part) in parts.enumerated() {
            append(part.attribute, ranks[place], numbers[part.source], to: &contents)
        }
        return contents.documents.isEmpty ? nil : contents
    }

    private func append(
        _ attribute: SegmentAttribute, _ ranks: [UInt32], _ numbers: [DocumentNumber],
        to contents: inout AttributeContents
    ) {
        for row in 0..<attribute.presence.rowCount {
            let document = attribute.presence.document(ofRow: row)
            guard numbers[Int(document)] != MergedSegment.dropped,
                attribute.presence.contains(document)
            else { continue }
            if attribute.isTextContent { contents.hasText = true }
            if let strings = attribute.strings {
                let old = strings.ranks(of: document)
                for index in old.indices {
                    contents.hasText = true
                    contents.ranks.elements.append(ranks[Int(old[index])])
                }
            }
            if let column = attribute.numbers {
                let values = column.values(of: document)
                for index in values.indices { contents.numbers.elements.append(values[index]) }
            }
            if let column = attribute.dates {
                let values = column.values(of: document)
                for index in values.indices { contents.dates.elements.append(values[index]) }
            }
            let tokenCount = attribute.fieldLengths?.length(of: document) ?? 0
            contents.close(numbers[Int(document)], tokenCount: tokenCount)
        }
    }

    /// Merges the values that a living document has; for each part old rank → new.
    private func mergeValues(into values: inout SortedArena) -> [[UInt32]] {
        let columns = parts.compactMap(\.attribute.strings)
        var ranks = parts.map {
            [UInt32](repeating: StringColumn.noRank, count: $0.attribute.strings?.values.count ?? 0)
        }
        let places = parts.indices.filter { parts[$0].attribute.strings != nil }
        let texts = columns.map(\.values)
        var merge = TextMerge(texts)
        var group: [TextMerge.Entry] = []
        while merge.next(into: &group) {
            let isNeeded = group.contains { entry in
                let numbers = numbers[parts[places[entry.source]].source]
                return isLive(entry.rank, in: columns[entry.source], numbers)
            }
            guard isNeeded, let first = group.first else { continue }
            for entry in group {
                ranks[places[entry.source]][Int(entry.rank)] = UInt32(values.count)
            }
            values.append(first.rank, of: texts[first.source])
        }
        return ranks
    }

    private func isLive(
        _ rank: UInt32, in column: StringColumn, _ numbers: [DocumentNumber]
    ) -> Bool {
        let documents = column.documents(of: rank)
        for index in documents.indices
        where numbers[Int(documents[index])] != MergedSegment.dropped {
            return true
        }
        return false
    }
}
