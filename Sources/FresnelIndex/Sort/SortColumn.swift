import FresnelKernels
import FresnelModel
import FresnelQuery

/// What one field of the order reads in one segment.
struct SortColumn: Sendable {
    enum Source: Sendable {
        case score
        /// Aside, so that a column of numbers is taken along by one reference.
        indirect case strings(StringColumn)
        case numbers(NumericColumn)
        case missing
        /// Of what kinds documents are.
        case kinds(DocumentKinds)
        /// One text for all documents.
        case constant([UInt8])
    }

    let source: Source
    let isDescending: Bool

    init(_ source: Source, isDescending: Bool) {
        self.source = source
        self.isDescending = isDescending
    }

    init(_ field: SortField, in segment: Segment, indexName: [UInt8]) {
        isDescending = field.isDescending
        switch field.key {
        case .relevance: source = .score
        case .field(.kind): source = .kinds(segment.kinds)
        case .field(.index): source = .constant(indexName)
        case .attribute(let name):
            let attribute = segment.attribute(named: name)
            if let strings = attribute?.strings {
                source = .strings(strings)
            } else if let numbers = attribute?.numbers ?? attribute?.dates {
                source = .numbers(numbers)
            } else {
                source = .missing
            }
        }
    }

    /// Whether the column needs the score.
    var isScore: Bool {
        if case .score = source { true } else { false }
    }

    /// Whether the place of a document is what its key has: the bits of a number.
    var isNumber: Bool {
        switch source {
        case .score, .numbers: true
        case .strings, .missing, .kinds, .constant: false
        }
    }

    /// `place(of:score:)` of many documents; without scores all are 0.
    func places(of documents: [DocumentNumber], scores: [Double]) -> [UInt64] {
        switch source {
        case .score where !scores.isEmpty:
            return scores.map { directed(OrderedKey.sortableBits(of: $0)) }
        case .numbers(let column) where !column.isMultiValued:
            return documents.map { document in
                let number = column.firstValue(of: document)
                return number.isNaN ? .max : directed(OrderedKey.sortableBits(of: number))
            }
        case .strings(let column):
            // Told apart once, not for each document: taking the case out of `source` counts
            // references.
            return documents.map { place(of: $0, in: column) }
        case .score, .numbers, .missing, .kinds, .constant:
            return documents.map { place(of: $0, score: 0) }
        }
    }

    /// A number that is smaller the earlier the document comes; comparable inside the segment.
    func place(of document: DocumentNumber, score: Double) -> UInt64 {
        switch source {
        case .score: return directed(OrderedKey.sortableBits(of: score))
        case .missing: return .max
        case .constant: return 0
        case .kinds(let kinds):
            // Activities come before products.
            return kinds.activities.contains(document) == isDescending ? 1 : 0
        case .strings(let column):
            return place(of: document, in: column)
        case .numbers(let column):
            let number = number(of: document, in: column)
            return number.isNaN ? .max : directed(OrderedKey.sortableBits(of: number))
        }
    }

    private func place(of document: DocumentNumber, in column: StringColumn) -> UInt64 {
        guard let rank = rank(of: document, in: column) else { return .max }
        let first = UInt64(SortText.representative(of: rank, in: column.values))
        return isDescending ? UInt64(UInt32.max) - first : first
    }

    /// Adds the document's part to its sort key.
    func append(_ document: DocumentNumber, score: Double, to key: inout OrderedKey) {
        switch source {
        case .score: key.append(score: score, descending: isDescending)
        case .missing: appendMissing(to: &key)
        case .constant(let text): SortText.append(text, descending: isDescending, to: &key)
        case .kinds(let kinds):
            let text = Array(kinds.kind(of: document).rawValue.utf8)
            SortText.append(text, descending: isDescending, to: &key)
        case .strings(let column):
            guard let rank = rank(of: document, in: column) else { return appendMissing(to: &key) }
            SortText.append(rank, of: column.values, descending: isDescending, to: &key)
        case .numbers(let column):
            let number = number(of: document, in: column)
            key.append(number: number.isNaN ? nil : number, descending: isDescending)
        }
    }

    private func appendMissing(to key: inout OrderedKey) { key.appendMissing() }

    private func directed(_ bits: UInt64) -> UInt64 { isDescending ? ~bits : bits }

    /// The element that stands for a document: the least ascending, the greatest descending.
    private func rank(of document: DocumentNumber, in column: StringColumn) -> ValueRank? {
        let ranks = column.ranks(of: document)
        var chosen: ValueRank?
        for place in ranks.indices {
            let rank = ranks[place]
            guard let current = chosen else {
                chosen = rank
                continue
            }
            chosen = isDescending ? max(current, rank) : min(current, rank)
        }
        return chosen
    }

    private func number(of document: DocumentNumber, in column: NumericColumn) -> Double {
        guard column.isMultiValued else { return column.firstValue(of: document) }
        var chosen = Double.nan
        column.forEachValue(of: document) { number in
            if chosen.isNaN || (isDescending ? number > chosen : number < chosen) {
                chosen = number
            }
        }
        return chosen
    }
}
