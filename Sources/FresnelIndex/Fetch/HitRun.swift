import FresnelKernels
import FresnelModel
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
    /// The sort key of the head, once it was asked for.
    private var headKey: OrderedKey?
    /// Whether all hits have been taken.
    private(set) var isAtEnd: Bool

    init(_ source: FoundHits, _ window: consuming FoundHits.Window) {
        window.best = nil
        isAtEnd = window.count == 0 && window.isLast
        self.source = source
        self.window = window
    }

    /// How many hits are in order and in memory.
    var kept: Int { window.count }

    /// Whether the next hit has to be looked for.
    var needsWindow: Bool { taken == window.count && !window.isLast }

    /// The next hit; while a window is missing the last that was taken, so that the run stands
    /// first until it is known what follows.
    private var head: PlacedHit? { taken < window.count ? window.hit(at: taken) : last }

    /// The sort key of the head; empty where hits have no order, and while nothing was taken of a
    /// run whose window is missing.
    mutating func key() -> OrderedKey {
        if let headKey { return headKey }
        var key = OrderedKey()
        if let order = source.order, let head {
            order.append(head.document, score: head.score, to: &key)
        }
        headKey = key
        return key
    }

    /// A number that is the smaller the earlier the head comes, among those of other runs; nil
    /// where none is known: then keys tell.
    var place: UInt64? {
        guard let order = source.order, order.isByScore, let head else { return nil }
        return order.place(ofScore: head.score)
    }

    /// Moves on; a window must not be missing.
    mutating func advance() {
        last = window.hit(at: taken)
        taken += 1
        headKey = nil
        noteEnd()
    }

    /// Looks for the hits behind the last one; when it is stopped, nothing has changed.
    mutating func refill(
        floor: ScoreFloor?, control: SearchControl
    ) throws(SearchStop) {
        window = try source.window(behind: last, floor: floor, control: control)
        taken = 0
        headKey = nil
        noteEnd()
    }

    private mutating func noteEnd() {
        guard taken == window.count, window.isLast else { return }
        isAtEnd = true
        window.hits = []
        window.documents = []
        taken = 0
    }

    /// Appends the sort key of the next hit to `keys`, and the hit as it travels to `bodies`, with
    /// what was asked for of it.
    ///
    /// Mutating only so that the run, which has many parts, is not copied for it.
    ///
    /// - Parameter isBare: whether nothing but the document's beginning was asked for.
    mutating func write(
        _ plan: SearchPlan, isBare: Bool, to keys: inout OrderedKey, _ bodies: inout [UInt8]
    ) throws(WireError) {
        let head = window.hit(at: taken)
        let identifier = source.order?.append(head.document, score: head.score, to: &keys)
        if isBare, source.explainer == nil {
            let isWritten =
                if let identifier {
                    writeBeginning(of: head, keys.bytes.span.extracting(identifier), to: &bodies)
                } else {
                    source.view.segment.identifiers.withIdentifier(of: head.document) {
                        writeBeginning(of: head, $0, to: &bodies)
                    }
                }
            if isWritten { return }
        }
        bodies += try body(plan)
    }

    /// Writes a hit that has nothing but its document's beginning; false for an unusual document.
    ///
    /// - Parameter identifier: the document's, which is not put together a second time where its
    ///   key has it.
    private func writeBeginning(
        of head: PlacedHit, _ identifier: Span<UInt8>, to body: inout [UInt8]
    ) -> Bool {
        let (segment, name) = (source.view.segment, source.indexName)
        let score = source.terms == nil ? nil : head.score
        if let beginnings = segment.packedBeginnings {
            guard beginnings.isKnown(head.document) else { return false }
            HitBody.append(
                index: name.span, score: score, to: &body,
                room: DocumentBeginnings.headBytes + identifier.count
            ) { beginnings.append(identifier, to: &$0) }
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

    private func body(_ plan: SearchPlan) throws(WireError) -> [UInt8] {
        let head = window.hit(at: taken)
        let stored = source.view.segment.stored.encoded(head.document)
        var document = try DocumentCoding.project(stored, to: plan.selection)
        if !plan.returnedFields.isEmpty {
            document = try plan.returnedFields.adding(to: document, of: source.index)
        }
        var body = HitBody(
            index: source.index, score: source.terms == nil ? nil : head.score,
            document: document,
            highlights: try plan.highlighter?.highlights(inStored: stored, of: source.index))
        body.explanation = source.explainer?.explanation(of: head.document)
        if plan.tellsExpirations { body.expiration = expiration(of: head.document) }
        return body.encode()
    }

    private func expiration(of document: DocumentNumber) -> DocumentExpiration {
        DocumentExpiration(seconds: source.view.segment.versions.expiration(of: document))
    }
}

extension HitRun {
    /// The next hits as a batch where nothing but their identifiers is sent, each key begins with
    /// one number, and no other run takes turns; nil where they are not such, and where this cannot
    /// lay them out.
    ///
    /// - Parameters:
    ///   - count: the most hits.
    ///   - bytes: more are not laid out.
    mutating func keyedBatch(
        atMost count: Int, below bytes: Int
    ) -> (payload: [UInt8], items: Int)? {
        guard let order = source.order, order.hasPlainKeys, source.explainer == nil,
            let beginnings = source.view.segment.packedBeginnings,
            let blocks = source.view.segment.identifiers.blocks
        else { return nil }
        let identifiers = source.view.segment.identifiers
        let places = taken..<min(window.hits.count, taken + count)
        guard !places.isEmpty,
            places.allSatisfy({ place in
                beginnings.isKnown(window.hits[place].document) && !window.hits[place].score.isNaN
            })
        else { return nil }
        let keyed = KeyedHits(
            index: source.indexName, head: beginnings.head, hasScores: source.terms != nil)
        let payload = keyed.batch(places.count, of: blocks.table, below: bytes) { number in
            let hit = window.hits[places.lowerBound + number]
            return KeyedHits.Hit(
                first: hit.first, score: hit.score, place: Int(identifiers.rank(of: hit.document)))
        }
        guard let payload else { return nil }
        last = window.hits[places.upperBound - 1]
        taken = places.upperBound
        headKey = nil
        noteEnd()
        return (payload, places.count)
    }

    /// The sort key of the last hit taken; empty before that and where hits have no order.
    var lastKey: [UInt8] {
        guard let order = source.order, let last else { return [] }
        return order.key(of: last.document, score: last.score)
    }

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
        noteEnd()
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
