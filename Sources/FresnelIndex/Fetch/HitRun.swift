import FresnelKernels
import FresnelWire

/// The hits of one segment, in the order of the answer.
struct HitRun: Sendable {
    /// Where the hits are.
    let segment: Segment
    /// The index they belong to.
    let index: String
    /// The documents, in order.
    let documents: [DocumentNumber]
    /// Their scores; empty where nothing is scored.
    let scores: [Double]
    /// Makes sort keys; nil where the answer has no order.
    let order: SegmentOrder?
    /// How many of them have been taken.
    private(set) var taken = 0
    /// The sort key of the next; nil at the end.
    private(set) var headKey: [UInt8]?

    init(
        _ segment: Segment, index: String, documents: [DocumentNumber], scores: [Double],
        order: SegmentOrder?
    ) {
        self.segment = segment
        self.index = index
        self.documents = documents
        self.scores = scores
        self.order = order
        makeKey()
    }

    /// The next document.
    var head: DocumentNumber { documents[taken] }

    /// The score of the next document; nil where nothing is scored.
    var headScore: Double? { scores.isEmpty ? nil : scores[taken] }

    /// Moves on.
    mutating func advance() {
        taken += 1
        makeKey()
    }

    /// The next hit as it travels, with what was asked for of it.
    func body(_ selection: AttributeSelection) throws(WireError) -> [UInt8] {
        let store = segment.stored
        let stored = [UInt8](copying: store.encoded(head))
        let document = try DocumentCoding.project(stored, to: selection)
        return HitBody(index: index, score: headScore, document: document).encode()
    }

    private mutating func makeKey() {
        guard taken < documents.count else {
            headKey = nil
            return
        }
        headKey = order?.key(of: head, score: scores.isEmpty ? 0 : scores[taken]) ?? []
    }
}
