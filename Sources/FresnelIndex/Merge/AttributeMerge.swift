import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem

/// Merges what several segments have of one attribute.
struct AttributeMerge {
    private let name: String
    private let sources: [MergeSource]
    private let numbers: [[DocumentNumber]]
    private let parts: [(source: Int, ordinal: AttributeOrdinal, attribute: SegmentAttribute)]

    init(name: String, sources: [MergeSource], numbers: [[DocumentNumber]]) {
        self.name = name
        self.numbers = numbers
        self.sources = sources
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
    ///
    /// - Parameter documentCount: the documents of the merged segment.
    func merged(_ packing: SegmentPacking, _ documentCount: Int) -> AttributeContents? {
        let form = form(packing, documentCount)
        var contents = AttributeContents(name: name)
        contents.form = form
        contents.hasText = form != .column
        let ranks = form == .column ? mergeValues(into: &contents.values) : []
        for (place, part) in parts.enumerated() {
            append(
                part.attribute, form == .column ? ranks[place] : nil, numbers[part.source],
                to: &contents)
        }
        return contents.documents.isEmpty ? nil : contents
    }

    /// Where the texts will be, as the builder would decide; without a column no value of theirs is
    /// looked at.
    private func form(_ packing: SegmentPacking, _ documentCount: Int) -> TextForm {
        guard !packing.hasAllColumns(documentCount),
            AttributeTable.definition(named: name)?.isTextContent != true
        else { return .column }
        if name == DocumentField.uniqueIdentifier {
            return parts.allSatisfy({ isIdentifiers($0.source, $0.attribute) })
                ? .identifiers : .column
        }
        var lengths = AttributeContents(name: name)
        for part in parts {
            let known = part.attribute.fieldLengths
            forEachLiving(part.attribute, numbers[part.source]) { document in
                lengths.close(document, tokenCount: known?.length(of: document) ?? 0)
            }
        }
        return lengths.isLongText(packing) ? .stored : .column
    }

    /// Whether the text of every living document is its identifier.
    private func isIdentifiers(_ source: Int, _ attribute: SegmentAttribute) -> Bool {
        if attribute.parts.contains(.identifiers) { return true }
        guard let column = attribute.column else { return false }
        let identifiers = sources[source].segment.identifiers
        return numbers[source].indices.allSatisfy { number in
            guard numbers[source][number] != MergedSegment.dropped else { return true }
            let document = DocumentNumber(number)
            let ranks = column.ranks(of: document)
            return ranks.count == 1
                && identifiers.compare(document, column.values.original(of: ranks[0])) == 0
        }
    }

    private func forEachLiving(
        _ attribute: SegmentAttribute, _ numbers: [DocumentNumber],
        _ body: (DocumentNumber) -> Void
    ) {
        var yieldPace = YieldPace()
        for row in 0..<attribute.presence.rowCount {
            yieldPace.step(every: 32)
            let document = attribute.presence.document(ofRow: row)
            guard numbers[Int(document)] != MergedSegment.dropped,
                attribute.presence.contains(document)
            else { continue }
            body(document)
        }
    }

    private func append(
        _ attribute: SegmentAttribute, _ ranks: [UInt32]?, _ numbers: [DocumentNumber],
        to contents: inout AttributeContents
    ) {
        // Taken out once: columns are many references.
        let strings = ranks == nil ? nil : attribute.strings
        let (values, dates) = (attribute.numbers, attribute.dates)
        let lengths = attribute.fieldLengths
        forEachLiving(attribute, numbers) { document in
            if attribute.isTextContent { contents.hasText = true }
            if let strings, let ranks {
                let old = strings.ranks(of: document)
                for index in old.indices {
                    contents.hasText = true
                    contents.ranks.elements.append(ranks[Int(old[index])])
                }
            }
            if let column = values {
                column.forEachValue(of: document) { contents.numbers.elements.append($0) }
            }
            if let column = dates {
                column.forEachValue(of: document) { contents.dates.elements.append($0) }
            }
            let tokenCount = lengths?.length(of: document) ?? 0
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
        var merge = TextMerge(columns.map(\.values))
        var group: [TextMerge.Entry] = []
        var yieldPace = YieldPace()
        while merge.next(into: &group) {
            yieldPace.step(every: 16)
            let isNeeded = group.contains { entry in
                let numbers = numbers[parts[places[entry.source]].source]
                return isLive(entry.rank, in: columns[entry.source], numbers)
            }
            guard isNeeded, let first = group.first else { continue }
            for entry in group {
                ranks[places[entry.source]][Int(entry.rank)] = UInt32(values.count)
            }
            merge.append(first, to: &values)
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
