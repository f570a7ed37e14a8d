/// One posting list, with all that tables know of it.
struct PostingList {
    let documentCount: Int
    /// The attributes in which the term occurs, as a mask for `AttributeFilter`.
    let mask: UInt64
    /// The attribute of a list whose occurrences are positions alone (`PositionRun`); else nil.
    let simple: AttributeOrdinal?
    /// Where its postings are.
    let form: Form

    /// Where the postings of a list are.
    enum Form {
        /// All there is of a list of a single occurrence.
        case single(SingleLists.Entry)
        /// Where the only block begins of a list that is not in the table of blocks.
        case block(Int)
        /// The blocks, by their places in the table of blocks.
        case blocks(Range<Int>)
    }

    init(documentCount: Int, mask: UInt64, simple: AttributeOrdinal?, form: Form) {
        self.documentCount = documentCount
        self.mask = mask
        self.simple = simple
        self.form = form
    }

    /// A list without documents.
    init() { self.init(documentCount: 0, mask: 0, simple: nil, form: .blocks(0..<0)) }

    /// The document of a list of a single occurrence; nil for others.
    var only: DocumentNumber? {
        guard case .single(let entry) = form, documentCount > 0 else { return nil }
        return entry.document
    }
}
