import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// Two workers that listed one value each: a has x 5 and left p 3, q 2 and r 1 out; b has y 5 and
/// left p 4 and x 1 out.
struct FacetRoundHarness {
    var streams: StreamHarness

    init(_ asking: WireSearch? = nil, budget: Duration = .seconds(10)) throws {
        var asking = asking ?? search()
        if asking.facets.isEmpty {
            asking.countOnly = true
            asking.facets = [Self.request]
        }
        streams = try StreamHarness(asking, budget: budget)
    }

    static var request: WireFacetRequest {
        var request = WireFacetRequest()
        request.attribute = "keywords"
        request.limit = 2
        return request
    }

    static func value(_ text: String, _ count: UInt64) -> WireFacetValue {
        var value = WireFacetValue()
        value.text = text
        value.count = count
        return value
    }

    static func facet(_ values: [WireFacetValue], bound: UInt64, distinct: UInt64)
        -> WireFacetCounts
    {
        var facet = WireFacetCounts()
        facet.attribute = "keywords"
        facet.values = values
        facet.documents = 10
        facet.bound = bound
        facet.distinct = distinct
        return facet
    }

    static func reports(of part: Int) -> [WireShardReport] {
        var reports =
            part == 0 ? [report(0, found: 6), report(1, found: 4)] : [report(2, found: 10)]
        for number in reports.indices { reports[number].sequence = 5 }
        return reports
    }

    /// The first round's last word.
    mutating func list(part: Int, reports: [WireShardReport]? = nil) {
        var done = WirePartDone()
        done.shards = reports ?? Self.reports(of: part)
        done.facets =
            part == 0
            ? [Self.facet([Self.value("x", 5)], bound: 3, distinct: 4)]
            : [Self.facet([Self.value("y", 5)], bound: 4, distinct: 3)]
        streams.receive(.partDone(done), part: part)
    }

    /// Values of the second round.
    mutating func send(
        _ values: [WireFacetValue], part: Int, sequence: UInt64 = 0, facet: Int = 0
    ) {
        var writer = HitBatchWriter()
        for value in values {
            let entry = FacetRestEntry(facet: facet, value: value)
            writer.append(key: entry.key, body: entry.body)
        }
        var found = WireFound()
        found.items = UInt64(values.count)
        streams.receive(
            .found(found), part: part, sequence: sequence, payload: writer.bytes(), after: 2)
    }

    /// The second round's last word.
    mutating func finish(part: Int, distinct: UInt64? = nil, documents: UInt64 = 10) {
        var done = WirePartDone()
        done.shards = Self.reports(of: part - 2)
        done.shards[0].matchUs = 70
        done.facets = [Self.facet([], bound: 0, distinct: distinct ?? (part == 2 ? 4 : 3))]
        done.facets[0].documents = documents
        streams.receive(.partDone(done), part: part, after: 2)
    }

    /// What a left out, truly.
    static let restOfA = [value("p", 3), value("q", 2), value("r", 1)]
    static let restOfB = [value("p", 4), value("x", 1)]

    var done: WireDone? { streams.completions.first }

    /// What was asked of a worker in the second round.
    func asked(_ worker: String) -> [WireSubquery] {
        streams.commands(to: worker).compactMap { command in
            guard case .subquery(let subquery) = command, !subquery.rest.isEmpty else { return nil }
            return subquery
        }
    }

    func cancels(_ worker: String) -> Int {
        streams.commands(to: worker).count { if case .cancel = $0 { true } else { false } }
    }
}

@Suite("The second round of facets")
struct FacetRoundTests {
    private typealias Harness = FacetRoundHarness

    @Test("brings what was left out, and the facets are exact")
    func exact() throws {
        var harness = try Harness()
        harness.list(part: 0)
        #expect(harness.asked("a").isEmpty)
        harness.list(part: 1)
        let asked = try #require(harness.asked("a").first)
        #expect(asked.rest.map(\.last) == [Harness.value("x", 5)])
        #expect(asked.targets.map(\.snapshot) == [5, 5] && !asked.search.countOnly)
        #expect(harness.done == nil)
        harness.send(Harness.restOfB, part: 3)
        harness.send(Array(Harness.restOfA.prefix(1)), part: 2)
        harness.send(Array(Harness.restOfA.dropFirst()), part: 2, sequence: 1)
        harness.finish(part: 3)
        #expect(harness.done == nil)
        harness.finish(part: 2)
        let done = try #require(harness.done)
        let facet = try #require(done.facets.first)
        #expect(done.complete && facet.bound == 0 && facet.rounds == 2)
        #expect(facet.values == [Harness.value("p", 7), Harness.value("x", 6)])
        #expect(facet.documents == 20 && facet.distinct == 5 && done.found == 20)
        #expect(harness.streams.stream.faultCount == 0)
        // Its time is part of the receipts, and told by itself: it took a second.
        #expect(done.shards.map(\.facetUs) == [1_000_000, 1_000_000 - 70, 1_000_000])
        #expect(done.shards.map(\.matchUs) == [70, 0, 70])
    }

    @Test("is not made where the lists of one round are exact, or cannot become it")
    func notNeeded() throws {
        var asking = search()
        asking.countOnly = true
        asking.facets = [Harness.request]
        asking.facets[0].limit = 1
        var harness = try Harness(asking)
        var done = WirePartDone()
        done.shards = Harness.reports(of: 0)
        done.facets = [Harness.facet([Harness.value("x", 9)], bound: 3, distinct: 4)]
        harness.streams.receive(.partDone(done), part: 0)
        done.shards = Harness.reports(of: 1)
        done.facets = [Harness.facet([Harness.value("x", 9)], bound: 3, distinct: 4)]
        harness.streams.receive(.partDone(done), part: 1)
        let exact = try #require(harness.done?.facets.first)
        #expect(exact.bound == 0 && exact.rounds == 1 && exact.values == [Harness.value("x", 18)])
        #expect(harness.asked("a").isEmpty && harness.asked("b").isEmpty)

        var late = try Harness()
        late.list(part: 1)
        late.list(
            part: 0, reports: [report(0, .complete, found: 6), report(1, .deadline, found: 4)])
        let inexact = try #require(late.done)
        #expect(inexact.facets[0].bound == 7 && inexact.facets[0].rounds == 1)
        #expect(late.asked("b").isEmpty && !inexact.complete)
    }

    @Test("asks no worker that was lost since it reported: who returns may hold another replica")
    func returned() throws {
        var harness = try Harness()
        harness.list(part: 0)
        harness.streams.take(harness.streams.stream.lose(WorkerID("a"), at: at(1)))
        harness.list(part: 1)
        let done = try #require(harness.done)
        #expect(done.complete && done.facets[0].bound == 7 && done.facets[0].rounds == 1)
        #expect(harness.asked("a").isEmpty && harness.asked("b").isEmpty)
    }

    @Test("asks nobody again whose list was whole")
    func whole() throws {
        var harness = try Harness()
        harness.list(part: 0)
        var done = WirePartDone()
        done.shards = Harness.reports(of: 1)
        done.facets = [Harness.facet([Harness.value("q", 5)], bound: 0, distinct: 1)]
        harness.streams.receive(.partDone(done), part: 1)
        #expect(harness.asked("a").count == 1 && harness.asked("b").isEmpty)
        harness.send(Harness.restOfA, part: 2)
        harness.finish(part: 2)
        let facet = try #require(harness.done?.facets.first)
        #expect(facet.values == [Harness.value("q", 7), Harness.value("x", 5)])
        #expect(facet.distinct == 4 && facet.bound == 0)
    }

    enum Lie: CaseIterable {
        case disorder, twice, twiceInTwoBatches, moreThanBound, listedBefore, none, tooMany, tooFew
        case otherDocuments, otherDistinct, unreadable, otherFacet, gap, afterTheEnd, beyondCredit
        case neverTheBound

        var invariant: StreamInvariant {
            switch self {
            case .disorder, .twice, .twiceInTwoBatches: .orderAscending
            case .moreThanBound, .listedBefore, .none, .tooMany, .tooFew, .otherDocuments,
                .otherDistinct, .otherFacet, .neverTheBound:
                .countsTrue
            case .unreadable: .messagesReadable
            case .gap: .sequenceUnbroken
            case .afterTheEnd: .exactlyOneCompletion
            case .beyondCredit: .creditNeverExceeded
            }
        }
    }

    @Test(
        "A worker that contradicts itself in it is not believed of that facet, neither round",
        arguments: Lie.allCases)
    func lies(lie: Lie) throws {
        var harness = try Harness()
        harness.list(part: 0)
        harness.list(part: 1)
        let rest = Harness.restOfA
        switch lie {
        case .disorder: harness.send([rest[1], rest[0], rest[2]], part: 2)
        case .twice: harness.send([rest[0], rest[0]], part: 2)
        case .twiceInTwoBatches:
            harness.send([rest[0]], part: 2)
            harness.send([rest[0]], part: 2, sequence: 1)
        case .moreThanBound: harness.send([Harness.value("p", 4)], part: 2)
        case .listedBefore: harness.send([Harness.value("a", 5)], part: 2)
        case .none: harness.send([Harness.value("p", 0)], part: 2)
        case .tooMany: harness.send(rest + [Harness.value("s", 1)], part: 2)
        case .tooFew:
            harness.send(Array(rest.prefix(2)), part: 2)
            harness.finish(part: 2)
        case .neverTheBound:
            harness.send([Harness.value("p", 2), rest[1], rest[2]], part: 2)
            harness.finish(part: 2)
        case .otherDocuments:
            harness.send(rest, part: 2)
            harness.finish(part: 2, documents: 9)
        case .otherDistinct:
            harness.send(rest, part: 2)
            harness.finish(part: 2, distinct: 5)
        case .unreadable: harness.streams.find(["not a value"], part: 2)
        case .otherFacet: harness.send([rest[0]], part: 2, facet: 1)
        case .gap: harness.send(rest, part: 2, sequence: 1)
        case .afterTheEnd:
            harness.send(rest, part: 2)
            harness.finish(part: 2)
            harness.finish(part: 2)
        case .beyondCredit:
            let many = (0..<5000).map { Harness.value(String(10_000 + $0), 1) }
            harness.send(many, part: 2)
        }
        #expect(harness.streams.stream.violations[lie.invariant] == 1)
        #expect(harness.streams.stream.faultCount == 1 && harness.cancels("b") == 1)
        let done = try #require(harness.done)
        #expect(done.complete && done.found == 20)
        #expect(done.facets[0].documents == 20 && done.warnings.count == 1)
        #expect(done.facets[0].values == [Harness.value("y", 5)] && done.facets[0].bound == 14)
    }

    @Test("A list that leaves out what comes before its end is not believed", arguments: 0..<5)
    func lists(lie: Int) throws {
        var harness = try Harness()
        var done = WirePartDone()
        done.shards = Harness.reports(of: 0)
        done.facets = [Harness.facet([Harness.value("x", 5)], bound: 3, distinct: 4)]
        switch lie {
        case 0: done.facets[0].bound = 6
        case 1: done.facets[0].bound = 0
        case 2: done.facets[0].values.insert(Harness.value("y", 5), at: 0)
        case 3: done.facets[0].values.append(Harness.value("x", 5))
        default: done.facets[0].values.append(Harness.value("y", 0))
        }
        harness.streams.receive(.partDone(done), part: 0)
        #expect(harness.streams.stream.violations[.countsTrue] == 1)
    }

    enum End: CaseIterable { case lost, deadline, busy, error, expired }

    @Test(
        "What keeps it from its end leaves the answer whole, and its facets as one round told them",
        arguments: End.allCases)
    func early(end: End) throws {
        var harness = try Harness()
        harness.list(part: 0)
        harness.list(part: 1)
        harness.send(Harness.restOfA, part: 2)
        let failure = WireFailure(.busy, "too much to do")
        switch end {
        case .lost: harness.streams.take(harness.streams.stream.lose(WorkerID("b"), at: at(3)))
        case .deadline: harness.streams.take(harness.streams.stream.tick(at: at(10)))
        case .busy: harness.streams.receive(.busy(failure), part: 3, after: 3)
        case .error: harness.streams.receive(.error(failure), part: 3, after: 3)
        case .expired:
            var done = WirePartDone()
            done.shards = Harness.reports(of: 1)
            done.shards[0].status = .failed
            harness.streams.receive(.partDone(done), part: 3, after: 3)
        }
        let done = try #require(harness.done)
        #expect(done.complete && done.status == "complete")
        #expect(harness.streams.completions.count == 1 && harness.streams.stream.faultCount == 0)
        #expect(done.facets[0].bound == 7 && done.facets[0].rounds == 2)
        #expect(done.facets[0].values == [Harness.value("x", 5), Harness.value("y", 5)])
        #expect(!done.facets[0].hasDistinct && harness.cancels("a") == 1)
        #expect(done.shards.allSatisfy { $0.facetUs > 0 && $0.wireUs >= $0.facetUs - 70 })
        // What comes later is void.
        harness.finish(part: 2)
        #expect(harness.streams.completions.count == 1)
    }

    @Test("A cancel ends it at once")
    func cancel() throws {
        var harness = try Harness()
        harness.list(part: 0)
        harness.list(part: 1)
        harness.streams.take(harness.streams.stream.cancel(at: at(2)))
        let done = try #require(harness.done)
        #expect(done.status == "cancelled" && done.facets[0].bound == 7)
        #expect(harness.cancels("a") == 1 && harness.cancels("b") == 1)
    }

    @Test(
        "It runs beside hits that are not taken yet, and the answer ends when both are there",
        arguments: [true, false])
    func besideHits(areTaken: Bool) throws {
        var asking = search(limit: 2, credit: 10)
        asking.facets = [Harness.request]
        var harness = try Harness(asking)
        harness.streams.take(harness.streams.stream.hold(true, at: at(1)))
        harness.streams.find(["a", "c"], part: 0)
        harness.streams.find(["b", "d"], part: 1)
        harness.list(part: 0)
        harness.list(part: 1)
        #expect(harness.asked("a").count == 1 && harness.asked("b").count == 1)
        harness.send(Harness.restOfA, part: 2)
        harness.finish(part: 2)
        harness.send(Harness.restOfB, part: 3)
        harness.finish(part: 3)
        #expect(harness.done == nil)
        guard areTaken else {
            harness.streams.take(harness.streams.stream.tick(at: at(10)))
            #expect(harness.done?.status == "deadline" && harness.done?.facets[0].bound == 0)
            return
        }
        harness.streams.take(harness.streams.stream.hold(false, at: at(3)))
        #expect(try harness.streams.delivered == ["a", "b"])
        #expect(harness.done?.complete == true && harness.done?.facets[0].bound == 0)
    }
}
