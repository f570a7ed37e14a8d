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
    /// The numbers of the fields of documents before, by the places of their names.
    private var lastFields: [Int] = []
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
        for (place, (name, value)) in document.searchedValues.enumerated() {
            append(value, named: name, toField: fieldNumber(of: name, at: place), of: number)
        }
    }

    private mutating func append(
        _ value: AttributeValue, named name: String, toField number: Int, of document: UInt32
    ) {
        var position: UInt32 = 0
        var tokenCount = 0
        switch value {
        case .number(let single): fields[number].contents.numbers.append(finite: single)
        case .numbers(let numbers):
            for single in numbers { fields[number].contents.numbers.append(finite: single) }
        case .date(let date): fields[number].contents.dates.append(finite: date.seconds)
        case .dates(let dates):
            for date in dates { fields[number].contents.dates.append(finite: date.seconds) }
        case .string(let text) where name != SearchableText.htmlAttribute:
            let place = Place(document: document, field: number, element: 0)
            tokenCount = append(text, at: place, from: 0)
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

    /// The number of a field; `place` is that of its name among those of the document.
    private mutating func fieldNumber(of name: String, at place: Int) -> Int {
        // Documents of one kind have the same names at the same places.
        if place < lastFields.count, fields[lastFields[place]].contents.name == name {
            return lastFields[place]
        }
        let number = fieldNumbers[name] ?? fields.count
        if number == fields.count {
            fieldNumbers[name] = number
            fields.append(FieldBuilder(name: name))
        }
        if place == lastFields.count { lastFields.append(number) }
        lastFields[place] = number
        return number
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
    /// Adds a number to the open row; one that is not finite should not be there.
    fileprivate mutating func append(finite number: Double) {
        if number.isFinite { elements.append(number) }
    }
}
