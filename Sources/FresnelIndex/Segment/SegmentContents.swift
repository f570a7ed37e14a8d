import FresnelKernels
import FresnelModel
import FresnelQuery

// Between documents and bytes: everything a segment says that cannot be derived from the rest. The
// builder fills it from documents, the merger from segments, and one writer turns it into bytes. So
// a merged segment equals, byte for byte, the one built from the same documents in the same order.

/// The contents of a segment before they are bytes.
struct SegmentContents {
    var createdSequences: [UInt64] = []
    var expirations: [Double] = []
    /// Unique identifiers by document.
    var identifiers = StringArena()
    /// Encoded documents by document.
    var stored = StringArena()
    /// Sorted by name.
    var attributes: [AttributeContents] = []
    var terms = SortedArena()
    /// One list per term, in the order of `terms`.
    var postings = PostingWriter()
    /// The lists of the attributes aside, of the terms in `asideTerms`.
    var asidePostings = PostingWriter()
    /// The terms that occur in attributes aside, ascending.
    var asideTerms: [UInt32] = []

    var documentCount: Int { createdSequences.count }

    /// Has postings packed if the segment will be; before the first, when all documents are known.
    mutating func packPostings(_ packing: SegmentPacking) {
        let isPacked = packing.packs(documentCount)
        postings.isPacked = isPacked
        asidePostings.isPacked = isPacked
    }

    /// Ends the open term in both postings.
    mutating func endTerm() {
        if asidePostings.count > 0 {
            asideTerms.append(UInt32(postings.documentCounts.count))
            asidePostings.endTerm()
        }
        postings.endTerm()
    }
}

/// What the documents have of one attribute.
struct AttributeContents {
    var name: String
    /// Whether its postings stand aside from those of the attributes that wildcards cover.
    let isAside: Bool
    /// Whether some document has text in it.
    var hasText = false
    /// The documents with a value, ascending.
    var documents: [UInt32] = []
    /// Tokens of each of `documents`.
    var tokenCounts: [UInt16] = []
    /// Where the texts are as values.
    var form = TextForm.column
    /// The distinct texts, sorted.
    var values = SortedArena()
    /// The texts of each of `documents`, as ranks in `values` (as numbers while building).
    var ranks = RowLists<UInt32>()
    /// The numbers of each of `documents`.
    var numbers = RowLists<Double>()
    /// The dates of each of `documents`.
    var dates = RowLists<Double>()

    init(name: String) {
        self.name = name
        isAside = Self.isAside(name)
    }

    /// Whether postings of an attribute stand aside: no wildcard covers it, whatever the schema
    /// says.
    private static func isAside(_ name: String) -> Bool {
        guard let definition = AttributeTable.definition(named: name) else {
            return name == DocumentField.uniqueIdentifier
        }
        return !definition.isCoveredByContentWildcard
    }

    var parts: SegmentAttribute.Parts {
        var parts: SegmentAttribute.Parts = hasText ? .text : []
        if hasText, isAside { parts.insert(.aside) }
        switch form {
        case .column: if !ranks.elements.isEmpty { parts.insert(.strings) }
        case .stored: parts.insert(.stored)
        case .identifiers: parts.insert(.identifiers)
        }
        if !numbers.elements.isEmpty { parts.insert(.numbers) }
        if !dates.elements.isEmpty { parts.insert(.dates) }
        return parts
    }

    /// Ends the row of a document.
    mutating func close(_ document: UInt32, tokenCount: Int) {
        documents.append(document)
        tokenCounts.append(UInt16(clamping: tokenCount))
        ranks.closeRow()
        numbers.closeRow()
        dates.closeRow()
    }
}

/// Where a segment has the texts of an attribute as values.
enum TextForm {
    /// In a column.
    case column
    /// In the stored documents only.
    case stored
    /// They are the unique identifiers.
    case identifiers
}

extension AttributeContents {
    /// Whether the texts are sentences, by their tokens; never those aside, which are looked up.
    func isLongText(_ packing: SegmentPacking) -> Bool {
        let tokens = tokenCounts.reduce(0) { $0 + Int($1) }
        return !isAside && tokens >= packing.longTextTokens * documents.count && tokens > 0
    }
}

/// A list of elements for each of many rows.
struct RowLists<Element> {
    var elements: [Element] = []
    /// Where each row ends.
    private(set) var ends: [UInt32] = []
    /// Whether some row has more than one element.
    private(set) var isMultiValued = false

    subscript(row: Int) -> ArraySlice<Element> { elements[range(row)] }

    /// Where the elements of a row are.
    @inline(__always)
    func range(_ row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
    }

    mutating func closeRow() {
        let end = UInt32(truncatingIfNeeded: elements.count)
        if end - (ends.last ?? 0) > 1 { isMultiValued = true }
        ends.append(end)
    }
}
