/// Puts each occurrence into the postings where its attribute belongs.
struct PostingRouter {
    /// Whether the postings of each attribute stand aside.
    private let isAside: [Bool]
    /// The document that each of both postings is at, of the open term.
    private var main: DocumentNumber?
    private var aside: DocumentNumber?

    /// Routes by the attributes of new contents.
    init(_ contents: SegmentContents) { isAside = contents.attributes.map(\.isAside) }

    /// Adds an occurrence of the open term; documents ascend in each of both postings.
    mutating func append(
        _ occurrence: Occurrence, of document: DocumentNumber, to contents: inout SegmentContents
    ) {
        if isAside[Int(occurrence.attribute)] {
            if aside != document { contents.asidePostings.beginDocument(document) }
            aside = document
            contents.asidePostings.append(occurrence)
        } else {
            if main != document { contents.postings.beginDocument(document) }
            main = document
            contents.postings.append(occurrence)
        }
    }

    /// Ends the open term.
    mutating func endTerm(of contents: inout SegmentContents) {
        (main, aside) = (nil, nil)
        contents.endTerm()
    }

    /// Whether the open term has an occurrence.
    var isOpen: Bool { main != nil || aside != nil }
}
