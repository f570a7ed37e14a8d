import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelWire

/// Counts the found documents of one segment by the values of one attribute.
struct SegmentFacetCounter {
    private let field: FacetField
    private let segment: Segment
    /// The name of the segment's index, in UTF-8.
    private let indexName: [UInt8]
    private let control: SearchControl
    private var part = FacetTally.Part()
    /// Documents that have a value.
    private var having: Bitset

    init(
        _ field: FacetField, in segment: Segment, indexName: [UInt8], control: SearchControl
    ) {
        self.field = field
        self.indexName = indexName
        self.segment = segment
        self.control = control
        having = Bitset(count: segment.documentCount)
    }

    /// Every value that occurs in the found documents, each document once per value.
    mutating func count(_ found: DocumentSet) throws(SearchStop) -> FacetTally.Part {
        if case .field(let derived) = field.texts { return count(found, by: derived) }
        if let attribute = segment.attribute(named: field.attribute) {
            switch field.texts {
            case .people: try countPeople(found, attribute.presence)
            case .field: break
            case .all, .first:
                if let strings = attribute.strings { try count(found, in: strings) }
            }
            let bits = attribute.numbers != nil || attribute.dates != nil ? found.bitset : nil
            if let bits, let numbers = attribute.numbers {
                try count(bits, in: numbers) { .number($0) }
            }
            if let bits, let dates = attribute.dates { try count(bits, in: dates) { .date($0) } }
        }
        part.documents = UInt64(having.population)
        part.missing = UInt64(found.count) - part.documents
        return part
    }

    private mutating func count(
        _ found: DocumentSet, in column: StringColumn
    ) throws(SearchStop) {
        var counts = [UInt32](repeating: 0, count: column.values.count)
        // The document that a value was last counted for, plus one: elements may repeat.
        let mayRepeat = column.isMultiValued && field.texts == .all
        var last = [UInt32](repeating: 0, count: mayRepeat ? counts.count : 0)
        var runs = DocumentRuns(found, control: control)
        while let documents = try runs.next() {
            for document in documents {
                let ranks = column.ranks(of: document)
                let end = field.texts == .first ? min(1, ranks.count) : ranks.count
                for element in 0..<end {
                    let rank = Int(ranks[element])
                    guard rank < counts.count else { continue }
                    if mayRepeat {
                        if last[rank] == document + 1 { continue }
                        last[rank] = document + 1
                    }
                    counts[rank] += 1
                    having.insert(Int(document))
                }
            }
        }
        var pace = CheckPace(control)
        for rank in counts.indices {
            try pace.step()
            guard counts[rank] > 0 else { continue }
            let text = [UInt8](copying: column.values.original(of: ValueRank(rank)))
            part.counts[.text(text), default: 0] += UInt64(counts[rank])
        }
    }

    /// Every document has one value of a field.
    private func count(
        _ found: DocumentSet, by derived: DocumentField.Derived
    ) -> FacetTally.Part {
        let documents = UInt64(found.count)
        var part = FacetTally.Part(documents: documents)
        func add(_ value: [UInt8], _ count: UInt64) {
            if count > 0 { part.counts[.text(value)] = count }
        }
        switch derived {
        case .index: add(indexName, documents)
        case .kind:
            var activities = segment.kinds.activities
            activities.formIntersection(found)
            let count = UInt64(activities.count)
            add(Array(DocumentKind.activity.rawValue.utf8), count)
            add(Array(DocumentKind.product.rawValue.utf8), documents - count)
        }
        return part
    }

    /// The sorted view has each number of a document once, and equal numbers side by side.
    private mutating func count(
        _ found: Bitset, in column: NumericColumn, _ key: (UInt64) -> FacetKey
    ) throws(SearchStop) {
        let documents = column.sortedDocuments
        var current = 0.0
        var count: UInt64 = 0
        for entry in 0..<documents.count {
            if entry & 4095 == 0 { try control.check() }
            let document = Int(documents[entry])
            guard document < found.count, found.contains(document) else { continue }
            let number = column.number(ofEntry: entry)
            if count > 0, number != current {
                part.counts[key(current.bitPattern), default: 0] += count
                count = 0
            }
            // Adding 0 makes -0 the 0 that it equals.
            current = number + 0
            count += 1
            having.insert(document)
        }
        if count > 0 { part.counts[key(current.bitPattern), default: 0] += count }
    }

    /// People count under their names, or under the first handle where they have none.
    private mutating func countPeople(
        _ found: DocumentSet, _ presence: Presence
    ) throws(SearchStop) {
        var runs = DocumentRuns(found, control: control)
        while let documents = try runs.next() {
            for document in documents where presence.contains(document) {
                try control.check()
                for name in Set(names(of: document)) {
                    part.counts[.text(name), default: 0] += 1
                    having.insert(Int(document))
                }
            }
        }
    }

    private func names(of document: DocumentNumber) -> [[UInt8]] {
        let stored = segment.stored.encoded(document)
        // What cannot be read fails when it is delivered; a count knows no more of it.
        guard let document = try? DocumentCoding.decode(stored),
            case .persons(let people)? = document.value(ofAttribute: field.attribute)
        else { return [] }
        return people.compactMap { person in
            (person.displayName ?? person.handles.first).map { Array($0.utf8) }
        }
    }
}
