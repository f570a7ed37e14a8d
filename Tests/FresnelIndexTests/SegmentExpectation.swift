import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelText
import Testing

/// What a segment of some documents must say, worked out the plainest way.
struct SegmentExpectation {
    struct Field {
        var documents: Set<UInt32> = []
        var tokenCounts: [UInt32: Int] = [:]
        var texts: [UInt32: [String]] = [:]
        var numbers: [UInt32: [Double]] = [:]
        var dates: [UInt32: [Double]] = [:]
    }
    struct Place: Hashable {
        var attribute: String
        var element: Int
        var position: Int
    }

    var documents: [IncomingDocument]
    var fields: [String: Field] = [:]
    /// Original bytes of a term → document → places in order.
    var terms: [[UInt8]: [UInt32: [Place]]] = [:]

    init(_ documents: [IncomingDocument]) {
        self.documents = documents
        for (number, incoming) in documents.enumerated() {
            let names = Set(incoming.document.attributes.keys)
                .union([DocumentField.uniqueIdentifier, DocumentField.domainIdentifier])
            for name in names.sorted() {
                guard let value = incoming.document.value(ofAttribute: name) else { continue }
                add(value, name, UInt32(number))
            }
        }
    }

    private mutating func add(_ value: AttributeValue, _ name: String, _ document: UInt32) {
        var field = fields[name] ?? Field()
        field.documents.insert(document)
        switch value {
        case .number(let number): field.numbers[document] = [number]
        case .numbers(let numbers): field.numbers[document] = numbers
        case .date(let date): field.dates[document] = [date.seconds]
        default: break
        }
        let texts = SearchableText.strings(of: value, attribute: name)
        if !texts.isEmpty { field.texts[document] = texts }
        var position = 0
        for (element, text) in texts.enumerated() {
            let bytes = Array(text.utf8)
            for token in Tokenizer.tokens(of: bytes).tokens {
                let place = Place(
                    attribute: name, element: element, position: position + Int(token.position))
                terms[Array(bytes[token.range]), default: [:]][document, default: []].append(place)
                field.tokenCounts[document, default: 0] += 1
            }
            position += Tokenizer.tokens(of: bytes).tokens.count + 100
        }
        fields[name] = field
    }

    /// The distinct texts in the order (folded key, original bytes).
    static func sorted(_ texts: some Sequence<[UInt8]>) -> [[UInt8]] {
        Set(texts).sorted { left, right in
            let keys = (key(left), key(right))
            if keys.0 != keys.1 { return keys.0.lexicographicallyPrecedes(keys.1) }
            return left.lexicographicallyPrecedes(right)
        }
    }

    static func key(_ text: [UInt8]) -> [UInt8] {
        foldedKey(of: String(decoding: text, as: UTF8.self))
    }
}

extension SegmentExpectation {
    /// Compares everything a segment says.
    func check(_ segment: Segment) {
        #expect(segment.documentCount == documents.count)
        checkDocuments(segment)
        checkTerms(segment)
        #expect(segment.attributes.map(\.name) == fields.keys.sorted())
        for attribute in segment.attributes {
            guard let field = fields[attribute.name] else { continue }
            checkField(field, attribute)
            if let strings = attribute.strings { checkStrings(field, strings) }
            if let numbers = attribute.numbers { checkNumbers(field.numbers, numbers) }
            if let dates = attribute.dates { checkNumbers(field.dates, dates) }
            let isContent = ["textContent", "HTMLContentData"].contains(attribute.name)
            #expect((attribute.strings != nil) == (!field.texts.isEmpty && !isContent))
            #expect((attribute.numbers != nil) == !field.numbers.isEmpty)
            #expect((attribute.dates != nil) == !field.dates.isEmpty)
            #expect(attribute.isTextContent == (isContent && !field.texts.isEmpty))
        }
    }

    private func checkDocuments(_ segment: Segment) {
        var places: [String: [UInt32]] = [:]
        let (stored, identifiers) = (segment.stored, segment.identifiers)
        for (number, incoming) in documents.enumerated() {
            let document = UInt32(number)
            places[incoming.document.uniqueIdentifier, default: []].append(document)
            let encoded = stored.encoded(document)
            #expect(encoded == incoming.encoded)
            #expect(segment.versions.createdSequence(of: document) == incoming.createdSequence)
            #expect(segment.versions.expiration(of: document) == incoming.expiration)
            let identifier = identifiers.identifier(of: document)
            #expect(identifier == Array(incoming.document.uniqueIdentifier.utf8))
            let rank = identifiers.rank(of: document)
            #expect(identifiers.document(atRank: rank) == document)
        }
        for (identifier, expected) in places {
            let key = Array(identifier.utf8)
            let found = identifiers.documents(withIdentifier: key.span)
            #expect(found == expected)
        }
        let absent = Array("absent".utf8)
        let found = identifiers.documents(withIdentifier: absent.span)
        #expect(found.isEmpty)
        let byRank = (0..<UInt32(documents.count)).map { rank in
            documents[Int(identifiers.document(atRank: rank))].document.uniqueIdentifier
        }
        #expect(byRank == byRank.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(segment.versions.lastSequence == documents.map(\.createdSequence).max() ?? 0)
    }

    private func checkTerms(_ segment: Segment) {
        let sorted = Self.sorted(terms.keys)
        let dictionary = segment.terms
        #expect(segment.terms.count == sorted.count)
        for (rank, original) in sorted.enumerated() where rank < segment.terms.count {
            let term = UInt32(rank)
            let text = dictionary.original(of: term)
            #expect(text == original)
            let key = dictionary.foldedKey(of: term)
            #expect(key == Self.key(original))
            guard let places = terms[original] else { continue }
            for (lists, isAside) in [(segment.postings, false), (segment.asidePostings, true)] {
                check(lists, term, places, in: segment, isAside: isAside)
            }
        }
    }

    /// Compares the postings of a term, of the attributes aside or of the others.
    private func check(
        _ lists: PostingLists?, _ term: TermID, _ all: [UInt32: [Place]], in segment: Segment,
        isAside: Bool
    ) {
        let places = all.compactMapValues { places in
            let here = places.filter { place in
                let ordinal = segment.ordinal(of: place.attribute).map { Int($0) }
                return ordinal.map {
                    segment.attributes[$0].parts.contains(.aside) == isAside
                } ?? false
            }
            return here.isEmpty ? nil : here
        }
        guard let lists else {
            #expect(places.isEmpty)
            return
        }
        #expect(lists.documentCount(of: term) == places.count)
        var cursor = lists.cursor(for: term)
        var occurrences: [Occurrence] = []
        for document in places.keys.sorted() {
            #expect(cursor.documentNumber == document)
            cursor.occurrences(into: &occurrences)
            let found = occurrences.map { occurrence in
                Place(
                    attribute: segment.attributes[Int(occurrence.attribute)].name,
                    element: Int(occurrence.element), position: Int(occurrence.position))
            }
            #expect(found == places[document])
            cursor.advance()
        }
        #expect(cursor.isAtEnd)
    }

    private func checkField(_ field: Field, _ attribute: SegmentAttribute) {
        #expect(attribute.presence.count == field.documents.count)
        var set = Bitset(count: documents.count)
        #expect(throws: Never.self) { try attribute.presence.insert(into: &set) }
        for document in 0..<UInt32(documents.count) {
            let isPresent = field.documents.contains(document)
            #expect(attribute.presence.contains(document) == isPresent)
            #expect(set.contains(Int(document)) == isPresent)
            let length = attribute.fieldLengths?.length(of: document) ?? 0
            #expect(length == field.tokenCounts[document] ?? 0)
        }
    }

    private func checkStrings(_ field: Field, _ column: StringColumn) {
        let values = Self.sorted(field.texts.values.joined().map { Array($0.utf8) })
        var found: [[UInt8]] = []
        let texts = column.values
        for rank in 0..<UInt32(texts.count) {
            found.append([UInt8](copying: texts.original(of: rank)))
        }
        #expect(found == values)
        var inverse: [[UInt8]: [UInt32]] = [:]
        for document in 0..<UInt32(documents.count) {
            let expected = (field.texts[document] ?? []).map { Array($0.utf8) }
            let ranks = [UInt32](copying: column.ranks(of: document))
            #expect(ranks.map { values[Int($0)] } == expected)
            for text in Set(expected) { inverse[text, default: []].append(document) }
        }
        for (rank, value) in values.enumerated() {
            let documents = [UInt32](copying: column.documents(of: UInt32(rank)))
            #expect(documents == inverse[value])
            #expect(column.documentCount(of: UInt32(rank)) == documents.count)
        }
    }
}

extension [UInt32] {
    init(copying span: Span<UInt32>) {
        self = []
        for index in span.indices { append(span[index]) }
    }
}
