import FresnelKernels
import FresnelSystem

extension SegmentVerifier {
    func verifyColumns() throws(SegmentError) {
        for (index, attribute) in segment.attributes.enumerated() {
            let ordinal = AttributeOrdinal(index)
            if index > 0 {
                let former = segment.attributes[index - 1].name
                try require(
                    former.utf8.lexicographicallyPrecedes(attribute.name.utf8),
                    Section(.attributes), "names ascend")
            }
            try verify(attribute.presence, Section(.presence, of: ordinal))
            if let strings = attribute.column { try verify(strings, ordinal) }
            if let numbers = attribute.numbers {
                let coded: SectionKind =
                    numbers.sortedDocuments.width > 0 ? .packedNumbers : .codedNumbers
                let kind = numbers.codes.isUsed ? coded : .numbers
                try verify(numbers, Section(kind, of: ordinal))
            }
            if let dates = attribute.dates {
                let coded: SectionKind =
                    dates.sortedDocuments.width > 0 ? .packedDates : .codedDates
                let kind = dates.codes.isUsed ? coded : .dates
                try verify(dates, Section(kind, of: ordinal))
            }
        }
    }

    private func verify(_ presence: Presence, _ section: Section) throws(SegmentError) {
        var bits = 0
        for word in 0..<presence.words.count { bits += presence.words[word].nonzeroBitCount }
        for index in 0..<presence.list.count {
            let document = presence.list[index]
            let isAscending = index == 0 || presence.list[index - 1] < document
            try require(
                isAscending && Int(document) < segment.documentCount, section,
                "its documents ascend and exist")
        }
        let isWhole = presence.words.count == 0 && presence.count == segment.documentCount
        try require(
            !presence.isDense || isWhole || bits == presence.count, section, "its count is right")
        let padding = segment.documentCount & 63
        guard presence.isDense, padding > 0, presence.words.count > 0 else { return }
        let last = presence.words[presence.words.count - 1]
        try require(last >> UInt64(padding) == 0, section, "bits behind the end are clear")
    }

    private func verify(
        _ column: StringColumn, _ ordinal: AttributeOrdinal
    ) throws(SegmentError) {
        try verifyTexts(column.values, Section(.stringValues, of: ordinal))
        let section = Section(.stringRows, of: ordinal)
        if column.isMultiValued {
            try requireOffsets(column.rowOffsets, limit: column.ranks.count, section)
        } else {
            try require(
                column.ranks.count == column.presence.rowCount, section, "every row has a place")
        }
        try requireOffsets(column.documentOffsets, limit: column.documents.count, section)
        var next = [UInt32](repeating: 0, count: column.values.count)
        for row in 0..<column.presence.rowCount {
            let document = column.presence.document(ofRow: row)
            let ranks = column.ranks(of: document)
            try require(
                ranks.count == 0 || column.presence.contains(document), section,
                "only documents with a value have texts")
            for index in ranks.indices {
                try require(Int(ranks[index]) < next.count, section, "its ranks exist")
                try verifyInverse(column, ranks[index], document, &next, section)
            }
        }
        for (rank, count) in next.enumerated() {
            try require(
                Int(count) == column.documentCount(of: ValueRank(rank)) && count > 0, section,
                "every text has its documents")
        }
    }

    /// Checks that a document is the next, or was the last, in the list of a rank.
    private func verifyInverse(
        _ column: StringColumn, _ rank: ValueRank, _ document: DocumentNumber,
        _ next: inout [UInt32], _ section: Section
    ) throws(SegmentError) {
        let documents = column.documents(of: rank)
        let place = Int(next[Int(rank)])
        if place > 0, documents[place - 1] == document { return }
        try require(
            place < documents.count && documents[place] == document, section,
            "documents of texts and texts of documents agree")
        next[Int(rank)] += 1
    }

    private func verify(_ column: NumericColumn, _ section: Section) throws(SegmentError) {
        if column.isMultiValued {
            try requireOffsets(column.rowOffsets, limit: column.values.count, section)
        } else {
            try require(
                column.codes.isUsed || column.values.count == column.presence.rowCount, section,
                "every row has a place")
        }
        for index in 0..<column.entryCount {
            let value = column.number(ofEntry: index)
            let document = column.sortedDocuments[index]
            let isAscending = index == 0 || column.number(ofEntry: index - 1) <= value
            try require(
                isAscending && value.isFinite && Int(document) < segment.documentCount, section,
                "sorted numbers ascend, are finite and belong to documents")
        }
        for index in 0..<column.codes.samples.count {
            let entry = index * CodedNumbers.sampleLength
            try require(
                column.codes.samples[index] == column.number(ofEntry: entry), section,
                "samples are those of the sorted numbers")
        }
        try verifyRows(column, section)
    }

    /// Works out the sorted view and the zones again and compares.
    private func verifyRows(_ column: NumericColumn, _ section: Section) throws(SegmentError) {
        var lists = RowLists<Double>()
        var documents: [UInt32] = []
        for row in 0..<column.presence.rowCount {
            let document = column.presence.document(ofRow: row)
            let values = column.values(of: document)
            for index in values.indices {
                try require(values[index].isFinite, section, "numbers are finite")
                lists.elements.append(values[index])
            }
            lists.closeRow()
            documents.append(document)
        }
        let identifiers = segment.identifiers
        let ranks = (0..<DocumentNumber(segment.documentCount)).map { identifiers.rank(of: $0) }
        let sorted = SortedNumberContents(
            lists, of: documents, ranks: column.hasRankedTies ? ranks : [])
        try require(
            (column.codes.isUsed || isEqual(sorted.values, column.sortedValues))
                && sorted.documents.count == column.sortedDocuments.count
                && sorted.documents.indices.allSatisfy {
                    sorted.documents[$0] == column.sortedDocuments[$0]
                },
            section, "the sorted numbers are those of the rows")
        if column.sortedDocuments.width > 0 {
            let words = SortedDocuments.words(sorted.documents, of: segment.documentCount)
            try require(
                isEqual(words, column.sortedDocuments.words), section,
                "nothing stands behind the last document")
        }
        let zones = ZoneContents(lists, of: documents, documentCount: segment.documentCount)
        try require(
            isEqual(zones.minima, column.zones.minima)
                && isEqual(zones.maxima, column.zones.maxima)
                && isEqual(zones.counts, column.zones.counts),
            section, "zones are those of the rows")
    }

    private func isEqual<Element: Equatable & BitwiseCopyable & Sendable>(
        _ elements: [Element], _ array: PackedArray<Element>
    ) -> Bool {
        elements.count == array.count && elements.indices.allSatisfy { elements[$0] == array[$0] }
    }
}
