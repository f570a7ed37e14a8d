import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelText

// One pass over the documents: attributes in the order of their names, elements, tokens. A token is
// looked up as bytes; its occurrence is one record in a flat list. When all documents are in, the
// distinct terms are folded and sorted once, and a counting sort brings the records into the order
// of terms; documents and positions are in order already.

/// Makes a segment of documents.
package struct SegmentBuilder {
    private var contents = SegmentContents()
    private var terms = TextInterner()
    private var occurrences: [OccurrenceRecord] = []
    private var fields: [FieldBuilder] = []
    private var fieldNumbers: [String: Int] = [:]
    private var tokens = TokenList()

    private init() {}

    /// Builds a segment of documents, numbered in their order.
    ///
    /// The same documents in the same order under the same rule always give the same bytes.
    ///
    /// - Throws: `tooManyDocuments` or `tooLarge` when they do not fit into one segment.
    package static func build(
        documents: [IncomingDocument], packing: SegmentPacking = .standard
    ) throws(SegmentError) -> SegmentBlob {
        guard documents.count <= SegmentFormat.documentLimit else {
            throw .tooManyDocuments(documents.count, limit: SegmentFormat.documentLimit)
        }
        var builder = SegmentBuilder()
        var yieldPace = YieldPace()
        for document in documents {
            yieldPace.step()
            builder.append(document)
        }
        return try builder.finish(packing).encoded(packing)
    }

    private mutating func append(_ incoming: IncomingDocument) {
        let number = UInt32(contents.documentCount)
        let document = incoming.document
        contents.createdSequences.append(incoming.createdSequence)
        contents.expirations.append(incoming.expiration)
        contents.identifiers.append(Array(document.uniqueIdentifier.utf8))
        contents.stored.append(incoming.encoded)
        for name in Self.fieldNames(of: document) {
            guard let value = document.value(ofAttribute: name) else { continue }
            append(value, named: name, of: number)
        }
    }

    /// The names under which a query finds values, in the order of their UTF-8.
    private static func fieldNames(of document: Document) -> [String] {
        var names = Array(document.attributes.keys)
        for field in [DocumentField.uniqueIdentifier, DocumentField.domainIdentifier]
        where document.attributes[field] == nil {
            names.append(field)
        }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return names
    }

    private mutating func append(_ value: AttributeValue, named name: String, of document: UInt32) {
        let number = fieldNumber(of: name)
        var position: UInt32 = 0
        var tokenCount = 0
        switch value {
        case .number(let number1): fields[number].contents.numbers.append(finite: [number1])
        case .numbers(let numbers): fields[number].contents.numbers.append(finite: numbers)
        case .date(let date): fields[number].contents.dates.append(finite: [date.seconds])
        case .dates(let dates): fields[number].contents.dates.append(finite: dates.map(\.seconds))
        case .string, .strings, .persons, .localized, .bytes, .byteStrings, .dictionary:
            let texts = SearchableText.strings(of: value, attribute: name)
            for (element, text) in texts.enumerated() {
                let place = Place(document: document, field: number, element: element)
                let count = append(text, at: place, from: position)
                position += UInt32(count) + SegmentFormat.elementGap
                tokenCount += count
            }
        }
        fields[number].contents.close(document, tokenCount: tokenCount)
    }

    private mutating func fieldNumber(of name: String) -> Int {
        if let number = fieldNumbers[name] { return number }
        fieldNumbers[name] = fields.count
        fields.append(FieldBuilder(name: name))
        return fields.count - 1
    }

    /// Where an element stands.
    private struct Place {
        var document: UInt32
        var field: Int
        var element: Int
    }

    /// Adds the tokens of one element, and the element to the column; returns how many tokens.
    private mutating func append(_ text: String, at place: Place, from position: UInt32) -> Int {
        let view = text.utf8
        let bytes = view.span
        fields[place.field].append(bytes)
        Tokenizer.tokenize(bytes, into: &tokens)
        let element = UInt32(truncatingIfNeeded: place.element) & 0xFFFF
        let field = UInt32(truncatingIfNeeded: place.field) << 16 | element
        for token in tokens.tokens {
            let term = terms.number(of: bytes.extracting(token.range))
            occurrences.append(
                OccurrenceRecord(
                    term: term, document: place.document, field: field,
                    position: position + token.position))
        }
        return tokens.tokens.count
    }

    private mutating func finish(_ packing: SegmentPacking) -> SegmentContents {
        contents.packPostings(packing)
        let order = fields.indices.sorted {
            fields[$0].contents.name.utf8.lexicographicallyPrecedes(fields[$1].contents.name.utf8)
        }
        var ordinals = [AttributeOrdinal](repeating: 0, count: fields.count)
        for (ordinal, number) in order.enumerated() {
            ordinals[number] = AttributeOrdinal(ordinal)
            contents.attributes.append(fields[number].finish())
        }
        let (texts, ranks) = terms.sorted()
        contents.terms = texts
        OccurrenceRecord.addPostings(
            of: occurrences, ranks: ranks, ordinals: ordinals, to: &contents)
        return contents
    }
}

extension RowLists<Double> {
    /// Adds the finite numbers to the open row; there should be no others.
    fileprivate mutating func append(finite numbers: [Double]) {
        for number in numbers where number.isFinite { elements.append(number) }
    }
}
