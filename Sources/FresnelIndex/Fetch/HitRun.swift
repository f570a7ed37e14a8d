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
    /// Explains their scores; nil unless asked for.
    var explainer: SegmentExplainer?
    /// Of a page: how many documents lie on its side of the cursor, also those not kept.
    var beyond = 0
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
    func body(
        _ selection: AttributeSelection, _ highlighter: HitHighlighter?
    ) throws(WireError) -> [UInt8] {
        let store = segment.stored
        let stored = [UInt8](copying: store.encoded(head))
        let document = try DocumentCoding.project(stored, to: selection)
        var body = HitBody(
            index: index, score: headScore, document: document,
            highlights: try highlighter?.highlights(inStored: stored))
        body.explanation = explainer?.explanation(of: head)
        return body.encode()
    }

    private mutating func makeKey() {
        guard taken < documents.count else {
            headKey = nil
            return
        }
        headKey = order?.key(of: head, score: scores.isEmpty ? 0 : scores[taken]) ?? []
    }
}
