import FresnelModel
import FresnelWire

// Page: what a cursor changes. Forwards, workers send what lies behind the key. Backwards, each
// sends the hits nearest before the key, as many as the page may have, but in the order of the
// answer; together they are too many, and those that come first do not belong to the page. How many
// that are is known once every worker has said how many it has, which its first batch does, so they
// are dropped as they come and nothing is kept for turning round.

/// The sort keys of the first and the last hit of a page.
struct PageEnds: Sendable {
    private(set) var first: [UInt8]?
    private(set) var last: [UInt8]?
    /// Hits dropped before the first, of a page that ends at its cursor; nil until known.
    var skipped: UInt64?
    /// The last hit that was delivered before the query began again; nil when it did not.
    var repeated: [UInt8]?

    /// Takes in the next delivered hit.
    mutating func pass(_ key: ArraySlice<UInt8>) {
        if first == nil { first = Array(key) }
        last = Array(key)
    }
}

extension QueryStream {
    /// Hits on the page's side of its cursor, each once: a part that goes on for another one tells
    /// again of what that one told.
    private var beyond: UInt64 {
        parts.filter { !$0.isResumed }.map(\.beyond).saturatingSum
    }

    /// Hits that a part sends for a page: all it has on the page's side, or as many as the page
    /// may have.
    func pageShare(of number: Int) -> UInt64 {
        min(parts[number].beyond, plan.limit ?? .max)
    }

    /// Drops what lies before a page that ends at its cursor.
    mutating func skipBeforePage() {
        guard plan.page?.isBackwards == true, let limit = plan.limit, nextRun != nil else {
            return
        }
        let sent = parts.indices.map { pageShare(of: $0) }.saturatingSum
        let surplus = sent > limit ? sent - limit : 0
        while page.skipped ?? 0 < surplus, let run = nextRun {
            let count = min(UInt64(run.hits.count), surplus - (page.skipped ?? 0))
            parts[run.part].hits.skip(Int(count))
            page.skipped = (page.skipped ?? 0) + count
        }
    }

    /// Drops what was delivered before the query began again.
    mutating func skipDelivered() {
        guard let repeated = page.repeated else { return }
        while let run = nextRun {
            let known = run.beginning(through: repeated)
            guard !known.isEmpty else { return }
            parts[run.part].hits.skip(known.count)
        }
    }

    /// Tells the client from where it can go on: beside the first and the last delivered hit.
    ///
    /// There is a cursor where hits are known to lie beyond it.
    func addCursors(to done: inout WireDone) {
        guard plan.isOrdered, let first = page.first, let last = page.last else { return }
        let all = plan.page == nil ? done.found : beyond
        let isMore = all > delivered
        let isBackwards = plan.page?.isBackwards == true
        if isBackwards || isMore { done.nextBytes = cursor(at: last, &done) }
        if isBackwards ? isMore : plan.page != nil { done.previousBytes = cursor(at: first, &done) }
    }

    /// The bytes of a cursor; none, and a warning, when the sort key makes it too long.
    private func cursor(at key: [UInt8], _ done: inout WireDone) -> [UInt8] {
        let bytes = plan.cursor(at: key).bytes
        guard bytes.count <= Limits.cursorBytes else {
            var warning = WireWarning()
            warning.message =
                key.count > bytes.count / 2
                ? "no cursor: the sort key of a hit has \(key.count) bytes; sort by shorter values"
                : "no cursor: it would name \(plan.search.indexes.count) indexes in "
                    + "\(bytes.count) bytes, and may have \(Limits.cursorBytes); search fewer"
            done.warnings.append(warning)
            return []
        }
        return bytes
    }
}
