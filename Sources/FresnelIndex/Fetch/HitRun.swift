import FresnelKernels
import FresnelSystem
import FresnelWire

/// The hits of one segment, in the order of the answer.
struct HitRun: Sendable {
    private let source: FoundHits
    private var window: FoundHits.Window
    /// How many hits of the window have been taken.
    private var taken = 0
    /// The last hit taken.
    private var last: PlacedHit?
    /// The sort key of the next hit; while a window is missing that of a hit that was taken.
    private(set) var headKey = OrderedKey()
    /// Where in the key its identifier stands as it is; nil where it does not.
    private var headIdentifier: Range<Int>?
    /// Whether all hits have been taken.
    private(set) var isAtEnd = false

    init(_ source: FoundHits, _ window: FoundHits.Window) {
        self.source = source
        self.window = window
        self.window.best = nil
        makeKey()
    }

    /// How many hits are in order and in memory.
    var kept: Int { window.count }

    /// Whether the next hit has to be looked for.
    var needsWindow: Bool { taken == window.count && !window.isLast }

    /// Changes the key of the next hit for the room of another, which the hit behind it will need.
    mutating func exchangeKey(with other: inout OrderedKey) { swap(&headKey, &other) }

    /// Moves on; a window must not be missing.
    mutating func advance() {
        last = window.hit(at: taken)
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

    /// Appends the next hit as it travels to `body`, with what was asked for of it.
    ///
    /// Mutating only so that the run, which has many parts, is not copied for it.
    ///
    /// - Parameters:
    ///   - key: its key, which was exchanged.
    ///   - isBare: whether nothing but the document's beginning was asked for.
    mutating func write(
        _ key: OrderedKey, _ plan: SearchPlan, isBare: Bool, to body: inout [UInt8]
    ) throws(WireError) {
        let head = window.hit(at: taken)
        if isBare, source.explainer == nil, writeBeginning(of: head, key, to: &body) { return }
        body += try self.body(plan.selection, plan.highlighter)
    }

    /// Writes a hit that has nothing but its document's beginning; false for an unusual document.
    private func writeBeginning(
        of head: PlacedHit, _ key: OrderedKey, to body: inout [UInt8]
    ) -> Bool {
        let (segment, name) = (source.view.segment, source.indexName)
        let score = source.terms == nil ? nil : head.score
        if let beginnings = segment.packedBeginnings {
            guard beginnings.isKnown(head.document) else { return false }
            func append(_ identifier: Span<UInt8>) {
                HitBody.append(
                    index: name.span, score: score, to: &body,
                    room: DocumentBeginnings.headBytes + identifier.count
                ) { beginnings.append(identifier, to: &$0) }
            }
            // An identifier that the key has is not put together a second time.
            if let headIdentifier {
                append(key.bytes.span.extracting(headIdentifier))
            } else {
                segment.identifiers.withIdentifier(of: head.document, append)
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
        let head = window.hit(at: taken)
        let stored = source.view.segment.stored.encoded(head.document)
        let document = try DocumentCoding.project(stored, to: selection)
        var body = HitBody(
            index: source.index, score: source.terms == nil ? nil : head.score,
            document: document, highlights: try highlighter?.highlights(inStored: stored))
        body.explanation = source.explainer?.explanation(of: head.document)
        return body.encode()
    }

    private mutating func makeKey() {
        guard taken < window.count else {
            // The run stands first until it is known what follows: nothing before its last hit.
            if window.isLast {
                isAtEnd = true
                window.hits = []
                window.documents = []
                taken = 0
            }
            return
        }
        guard let order = source.order else { return }
        let head = window.hit(at: taken)
        headIdentifier = order.replace(&headKey, by: head.document, score: head.score)
    }
}

extension HitRun {
    /// The next hits as a batch where nothing but their identifiers is sent and they have no order;
    /// nil where they are not such, and where this cannot lay them out.
    ///
    /// - Parameters:
    ///   - count: the most hits.
    ///   - bytes: the batch ends before it passes this; one hit always fits.
    mutating func bareBatch(
        atMost count: Int, below bytes: Int
    ) -> (payload: [UInt8], items: Int)? {
        guard source.order == nil, source.explainer == nil, taken < window.documents.count,
            let bare = source.bareHits
        else { return nil }
        let end = min(window.documents.count, taken + count)
        let wanted = bare.beginning(of: window.documents.span.extracting(taken..<end))
        guard wanted > 0 else { return nil }
        guard let batch = bareBatch(bare.hits, taken..<taken + wanted, below: bytes) else {
            return nil
        }
        last = window.hit(at: taken + batch.items - 1)
        taken += batch.items
        makeKey()
        return batch
    }

    private func bareBatch(
        _ hits: BareHits, _ places: Range<Int>, below bytes: Int
    ) -> (payload: [UInt8], items: Int)? {
        let identifiers = source.view.segment.identifiers
        guard let blocks = identifiers.blocks else {
            let (offsets, blob) = (identifiers.texts.offsets, identifiers.texts.blob)
            return hits.batch(
                window.documents.span.extracting(places), offsets: offsets.span, blob: blob.bytes,
                below: bytes)
        }
        guard identifiers.isSorted else {
            let ranks = places.map { identifiers.rank(of: window.documents[$0]) }
            return hits.batch(ranks.span, of: blocks.table, below: bytes)
        }
        return hits.batch(
            window.documents.span.extracting(places), of: blocks.table, below: bytes)
    }
}

/// How the hits of a segment without attributes are laid out.
struct BareSource: Sendable {
    let hits: BareHits
    /// The documents that begin otherwise, ascending.
    let others: [DocumentNumber]

    /// How many of some documents, ascending, stand before the first that begins otherwise.
    func beginning(of documents: Span<DocumentNumber>) -> Int {
        guard !others.isEmpty, documents.count > 0 else { return documents.count }
        let place = SortedNumbers.lowerBound(of: documents[0], in: others.span, from: 0)
        var count = 0
        var next = place
        while count < documents.count, next < others.count {
            if documents[count] == others[next] { return count }
            if documents[count] < others[next] { count += 1 } else { next += 1 }
        }
        return documents.count
    }
}
