@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

/// What a client has read of one answer, page by page.
struct ReadPages {
    typealias Hit = (key: [UInt8], document: Document, score: Double?)

    /// The search without cursor and limit.
    var search: WireSearch
    /// When the first page was asked, and answered: writes after that must not show.
    let askedAt: Instant
    let answeredAt: Instant
    /// What the first page said was found.
    let found: UInt64
    /// Every hit from the first page on, in order.
    var hits: [Hit]
    /// How many of them lie before the page that is being read.
    var offset: Int
}

// An answer in pages holds still: no page repeats, moves or misses a document, whatever is written
// in between and whatever happens to the processes. Only a disk that was given up takes from it.

extension Simulation {
    /// Checks what was promised about the page that a completion ends.
    mutating func checkPages(_ done: WireDone, _ query: AskedQuery) {
        if done.hasError, done.error.code == ErrorCode.cursorExpired.number {
            tally.expiredCursors += 1
            // A copy that answers in the place of a lost one may keep fewer versions than that did.
            let isFirstAsked = shape.replication == 1 && shape.membership == .fixed
            if query.usedItems > 0, isFirstAsked {
                violate(.pagesHoldStill, "an expired cursor delivered \(query.usedItems) hits")
            }
        }
        guard let pages = query.pages else { return }
        if query.search.backwards {
            checkWayBack(done, query, pages)
        } else if let first = query.hits.first, let last = pages.hits.last,
            !last.key.lexicographicallyPrecedes(first.key)
        {
            violate(
                .pagesHoldStill,
                "a page begins with \(first.document.uniqueIdentifier), which is not behind")
        }
        guard done.complete else { return }
        tally.pages += 1
        if done.found != pages.found, forsaken.isEmpty {
            violate(.pagesHoldStill, "a page found \(done.found), the first \(pages.found)")
        }
    }

    /// A page backwards is the one that was read forwards.
    private mutating func checkWayBack(_ done: WireDone, _ query: AskedQuery, _ pages: ReadPages) {
        guard done.complete, forsaken.isEmpty else { return }
        let limit = query.search.hasLimit ? Int(query.search.limit) : pages.offset
        let former = pages.hits[max(0, pages.offset - limit)..<pages.offset]
        if query.hits.map(\.key) != former.map(\.key) {
            violate(
                .pagesHoldStill,
                "\(query.hits.count) hits backwards are not the \(former.count) before")
        }
        if done.nextBytes.isEmpty {
            violate(.pagesHoldStill, "a page before a cursor has nothing behind it")
        }
    }

    /// Goes on to the next page, or back to the former one.
    mutating func turnPage(_ done: WireDone, _ query: AskedQuery, _ number: Int) {
        guard done.complete, !query.isFinal, !query.search.countOnly,
            query.search.delivery != .found, !query.hits.isEmpty
        else { return }
        if query.search.backwards { return }
        var pages =
            query.pages
            ?? ReadPages(
                search: query.search, askedAt: query.askedAt, answeredAt: now, found: done.found,
                hits: [], offset: 0)
        let offset = pages.hits.count
        pages.hits += query.hits
        if done.nextBytes.isEmpty { return checkReadOut(done, pages, number) }
        guard !isCalm else { return }
        let isBack = query.pages != nil && random.chance(20)
        if isBack, done.previousBytes.isEmpty {
            violate(.pagesHoldStill, "a page behind a cursor has nothing before it")
        }
        pages.offset = isBack ? offset : pages.hits.count
        askPage(isBack ? done.previousBytes : done.nextBytes, isBack, pages, number)
    }

    /// After the last page, every steady document was read exactly once.
    private mutating func checkReadOut(_ done: WireDone, _ pages: ReadPages, _ number: Int) {
        guard forsaken.isEmpty else { return }
        tally.answersReadOut += 1
        var counts: [String: Int] = [:]
        for hit in pages.hits { counts[hit.document.uniqueIdentifier, default: 0] += 1 }
        let model = SearchModel(pages.search)
        for identifier in oracle.identifiers {
            let index = String(identifier.prefix { $0 != "/" })
            guard done.snapshot.contains(where: { $0.index == index }) else { continue }
            let allowed = oracle.allowed(
                identifier, asked: pages.askedAt, ended: pages.answeredAt)
            guard allowed.count == 1 else { continue }
            let expected = allowed[0].map { model.matches($0) } == true ? 1 : 0
            if counts[identifier, default: 0] != expected {
                violate(
                    .pagesHoldStill,
                    "pages show \(identifier) \(counts[identifier, default: 0]) times, "
                        + "not \(expected)")
            }
        }
        guard random.chance(50), !isCalm, !done.previousBytes.isEmpty else { return }
        var back = pages
        back.offset = pages.hits.count - Int(done.delivered)
        askPage(done.previousBytes, true, back, number)
    }

    private mutating func askPage(
        _ cursor: [UInt8], _ isBack: Bool, _ pages: ReadPages, _ number: Int
    ) {
        var search = pages.search
        search.limit = UInt64(random.number(in: 1...8))
        search.afterBytes = cursor
        search.backwards = isBack
        search.slot = ""
        ask(number, search, after: pages)
    }
}
