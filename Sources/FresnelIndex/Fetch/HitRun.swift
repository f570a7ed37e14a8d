import FresnelKernels
import FresnelWire

/// The hits of one segment, in the order of the answer.
struct HitRun: Sendable {
    private let source: FoundHits
    private var window: FoundHits.Window
    /// How many hits of the window have been taken.
    private var taken = 0
    /// The last hit taken.
    private var last: PlacedHit?
    /// The sort key of the next hit, or of the last while a window is missing; nil at the end.
    private(set) var headKey: [UInt8]?

    init(_ source: FoundHits, _ window: FoundHits.Window) {
        self.source = source
        self.window = window
        self.window.best = nil
        makeKey()
    }

    /// How many hits are in order and in memory.
    var kept: Int { window.hits.count }

    /// Whether the next hit has to be looked for.
    var needsWindow: Bool { taken == window.hits.count && !window.isLast }

    /// Moves on; a window must not be missing.
    mutating func advance() {
        last = window.hits[taken]
        taken += 1
        makeKey()
    }

    /// Looks for the hits behind the last one; when it is stopped, nothing has changed.
    mutating func refill(
        floor: ScoreFloor?, control: SearchControl
    ) throws(SearchStop) {
        window = try source.window(behind: last, floor: floor, control: control)
        taken = 0
        makeKey()
    }

    /// Replaces `body` by the next hit as it travels, with what was asked for of it.
    ///
    /// - Parameter isBare: whether nothing but the document's beginning was asked for.
    func write(
        _ plan: SearchPlan, isBare: Bool, to body: inout [UInt8]
    ) throws(WireError) {
        let head = window.hits[taken]
        body.removeAll(keepingCapacity: true)
        if isBare, source.explainer == nil, writeBeginning(of: head, to: &body) { return }
        body = try self.body(plan.selection, plan.highlighter)
    }

    /// Writes a hit that has nothing but its document's beginning; false for an unusual document.
    private func writeBeginning(of head: PlacedHit, to body: inout [UInt8]) -> Bool {
        let (segment, name) = (source.view.segment, source.indexName)
        let score = source.terms == nil ? nil : head.score
        if let beginnings = segment.beginnings {
            guard beginnings.isKnown(head.document) else { return false }
            HitBody.append(index: name.span, score: score, to: &body) { bytes in
                beginnings.append(of: head.document, segment.identifiers, to: &bytes)
            }
            return true
        }
        return segment.stored.withEncoded(head.document) { encoded in
            guard let count = DocumentCoding.beginningByteCount(encoded) else { return false }
            HitBody.append(
                index: name.span, score: score, beginning: encoded.extracting(first: count),
                to: &body)
            return true
        }
    }

    private func body(
        _ selection: AttributeSelection, _ highlighter: HitHighlighter?
    ) throws(WireError) -> [UInt8] {
        let head = window.hits[taken]
        let stored = source.view.segment.stored.encoded(head.document)
        let document = try DocumentCoding.project(stored, to: selection)
        var body = HitBody(
            index: source.index, score: source.terms == nil ? nil : head.score,
            document: document, highlights: try highlighter?.highlights(inStored: stored))
        body.explanation = source.explainer?.explanation(of: head.document)
        return body.encode()
    }

    private mutating func makeKey() {
        guard taken < window.hits.count else {
            // The run stands first until it is known what follows: nothing before its last hit.
            if window.isLast {
                headKey = nil
                window.hits = []
                taken = 0
            } else {
                headKey = headKey ?? []
            }
            return
        }
        let head = window.hits[taken]
        headKey = source.order?.key(of: head.document, score: head.score) ?? []
    }
}
