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
    var contents = SegmentContents()
    var fields = FieldBuilders()
    private var terms = TextInterner()
    private var occurrences: [OccurrenceRecord] = []
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
        builder.contents.stored.reserve(
            count: documents.count, bytes: documents.reduce(0) { $0 + $1.form.byteCount })
        var yieldPace = YieldPace()
        for document in documents {
            yieldPace.step(every: document.form.byteCount > 1024 ? 1 : 8)
            builder.append(document)
        }
        return try builder.finish(packing).encoded(packing)
    }

    private mutating func append(_ incoming: IncomingDocument) {
        let number = UInt32(contents.documentCount)
        contents.createdSequences.append(incoming.createdSequence)
        contents.expirations.append(incoming.expiration)
        incoming.form.withIdentifier { contents.identifiers.append($0) }
        incoming.form.withEncoded { contents.stored.append($0) }
        switch incoming.form {
        case .decoded(let document, _):
            for (place, (name, value)) in document.searchedValues.enumerated() {
                append(value, named: name, toField: fields.number(of: name, at: place), of: number)
            }
        case .plain(let document, let bytes, _):
            append(document, in: bytes.span, of: number)
        }
    }

    private mutating func append(
        _ value: AttributeValue, named name: String, toField number: Int, of document: UInt32
    ) {
        var place = Place(document: document, field: number)
        switch value {
        case .number(let single): fields[number].contents.numbers.append(finite: single)
        case .boolean(let truth): fields[number].contents.numbers.append(finite: truth ? 1 : 0)
        case .numbers(let numbers):
            for single in numbers { fields[number].contents.numbers.append(finite: single) }
        case .date(let date): fields[number].contents.dates.append(finite: date.seconds)
        case .dates(let dates):
            for date in dates { fields[number].contents.dates.append(finite: date.seconds) }
        case .string(let text) where name != SearchableText.htmlAttribute:
            let text = text.utf8
            append(text.span, at: &place)
        case .string, .strings, .persons, .localized, .bytes, .byteStrings, .dictionary:
            for text in SearchableText.strings(of: value, attribute: name) {
                let text = text.utf8
                append(text.span, at: &place)
            }
        }
        fields[number].contents.close(document, tokenCount: place.tokenCount)
    }

    /// Where the next element of an attribute stands.
    struct Place {
        let document: UInt32
        let field: Int
        fileprivate var element = 0
        fileprivate var position: UInt32 = 0
        /// Tokens of the elements before.
        fileprivate(set) var tokenCount = 0

        init(document: UInt32, field: Int) {
            self.document = document
            self.field = field
        }
    }

    /// Adds the tokens of one element, and the element to the column.
    mutating func append(_ text: Span<UInt8>, at place: inout Place) {
        fields[place.field].append(text)
        Tokenizer.tokenize(text, into: &tokens)
        let element = UInt32(truncatingIfNeeded: place.element) & 0xFFFF
        let field = UInt32(truncatingIfNeeded: place.field) << 16 | element
        for token in tokens.tokens {
            let term = terms.number(of: text.extracting(token.range))
            occurrences.append(
                OccurrenceRecord(
                    term: term, document: place.document, field: field,
                    position: place.position + token.position))
        }
        place.element += 1
        place.position += UInt32(tokens.tokens.count) + SegmentFormat.elementGap
        place.tokenCount += tokens.tokens.count
    }

    private mutating func finish(_ packing: SegmentPacking) -> SegmentContents {
        contents.packPostings(packing)
        let order = fields.order
        var ordinals = [AttributeOrdinal](repeating: 0, count: order.count)
        for (ordinal, number) in order.enumerated() {
            ordinals[number] = AttributeOrdinal(ordinal)
            contents.attributes.append(
                fields[number].finish(packing, contents.identifiers))
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
    mutating func append(finite number: Double) {
        if number.isFinite { elements.append(number) }
    }
}
