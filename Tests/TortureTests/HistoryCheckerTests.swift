import Testing
import TortureHistory

@Suite("The checker of torture histories")
struct HistoryCheckerTests {
    private typealias Given = Histories

    /// A history and the promise it shows broken; nil where it is good.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [HistoryEvent]
        let broken: Violation.Kind?

        init(_ name: String, _ broken: Violation.Kind?, _ events: [HistoryEvent]) {
            (self.name, self.broken, self.events) = (name, broken, events)
        }

        var testDescription: String { name }
    }

    private static let writes: [Case] = [
        Case("nothing happened", nil, []),
        Case(
            "an acknowledged document is found", nil,
            [Given.write(Given.index(1, 1), at: 1...2), Given.read(at: 3...4, (1, 1))]),
        Case(
            "an acknowledged document is lost", .lostWrite,
            [Given.write(Given.index(1, 1), at: 1...2), Given.read(at: 3...4)]),
        Case(
            "a document may be missing while it is written", nil,
            [Given.write(Given.index(1, 1), at: 1...5), Given.read(at: 3...4)]),
        Case(
            "and while it is written it may be there", nil,
            [Given.write(Given.index(1, 1), at: 1...5), Given.read(at: 3...4, (1, 1))]),
        Case("a document comes out of nowhere", .phantom, [Given.read(at: 3...4, (1, 1))]),
        Case(
            "a version comes before it was written", .phantom,
            [Given.write(Given.index(1, 1), at: 5...6), Given.read(at: 3...4, (1, 1))]),
        Case(
            "a refused batch is found", .phantom,
            [
                Given.write(Given.index(1, 1), at: 1...2, .refused("no")),
                Given.read(at: 3...4, (1, 1)),
            ]),
        Case(
            "an answer has a document twice", .duplicate,
            [Given.write(Given.index(1, 1), at: 1...2), Given.read(at: 3...4, (1, 1), (1, 1))]),
        Case(
            "an answer that broke off has a document twice", .duplicate,
            [
                Given.write(Given.index(1, 1), at: 1...2), fault(at: 0, 9),
                Given.read(at: 3...4, (1, 1), (1, 1), outcome: .failed("lost")),
            ]),
        Case(
            "an older version is shown", .staleRead,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(Given.index(1, 2), at: 3...4), Given.read(at: 5...6, (1, 1)),
            ]),
        Case(
            "an older version may be shown by an answer that is not complete", nil,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(Given.index(1, 2), at: 3...4), fault(at: 0, 9),
                Given.read(at: 5...6, (1, 1), outcome: .incomplete("a shard")),
            ]),
        Case(
            "a deleted document is found again", .resurrection,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(.delete(key: 1), at: 3...4), Given.read(at: 5...6, (1, 1)),
            ]),
        Case(
            "a deleted domain is found again", .resurrection,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(.deleteGroup(group: "g"), at: 3...4),
                Given.read(at: 5...6, (1, 1)),
            ]),
        Case(
            "a deleted domain leaves other groups", .lostWrite,
            [
                Given.write(Given.index(1, 1), Given.index(2, 2, group: "h"), at: 1...2),
                Given.write(.deleteGroup(group: "g"), at: 3...4), Given.read(at: 5...6),
            ]),
        Case(
            "a patch is lost", .staleRead,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(.update(key: 1, version: 2), at: 3...4),
                Given.read(at: 5...6, (1, 1)),
            ]),
        Case(
            "a patch is on the wrong document", .phantom,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(.update(key: 1, version: 2), at: 3...4),
                Given.read(at: 5...6, (1, 2)),
            ]),
        Case(
            "a patch of a document that is there is refused", .wrongRefusal,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(
                    .update(key: 1, version: 2), at: 3...4, .acknowledged(refused: [0: 413])),
            ]),
    ]

    private static let unknowns: [Case] = [
        Case(
            "what nobody knows may be there", nil,
            unknown + [Given.read(at: 7...8, (1, 2))]),
        Case("what nobody knows may not be there", nil, unknown + [Given.read(at: 7...8, (1, 1))]),
        Case(
            "what nobody knows does not undo what was there", .lostWrite,
            unknown + [Given.read(at: 7...8)]),
        Case(
            "what nobody knows does not come after what was acknowledged later", .staleRead,
            unknown + [
                Given.write(Given.index(1, 3), at: 7...8), Given.read(at: 9...10, (1, 2)),
            ]),
        Case(
            "what was seen does not go, once it is acknowledged", .wentBack,
            [
                Given.write(Given.index(1, 1), at: 1...2),
                Given.write(Given.index(1, 2), at: 3...20), Given.read(at: 4...5, (1, 2)),
                Given.read(at: 6...7, (1, 1)),
            ]),
        Case(
            "a document that was seen does not go, once it is acknowledged", .wentBack,
            [
                Given.write(Given.index(1, 1), at: 3...20), Given.read(at: 4...5, (1, 1)),
                Given.read(at: 6...7),
            ]),
    ]

    private static let unknown = [
        fault(at: 0, 99), Given.write(Given.index(1, 1), at: 1...2),
        Given.write(Given.index(1, 2), at: 3...6, .unknown("timeout")),
    ]

    private static let kinds: [Case] = [
        Case(
            "the newest are not the newest", .lostWrite,
            three + [Given.read(.newest(limit: 2), at: 3...4, (3, 3), (1, 1))]),
        Case(
            "the newest are the newest", nil,
            three + [Given.read(.newest(limit: 2), at: 3...4, (3, 3), (2, 2), found: 3)]),
        Case(
            "the newest are not in order", .wrongOrder,
            three + [Given.read(.newest(limit: 2), at: 3...4, (2, 2), (3, 3))]),
        Case(
            "there are more than the limit", .wrongOrder,
            three + [Given.read(.relevant(limit: 1), at: 3...4, (3, 3), (2, 2))]),
        Case(
            "a group has all of its own", .lostWrite,
            three + [Given.read(.group("g"), at: 3...4, (1, 1))]),
        Case(
            "a group has nothing of others", .staleRead,
            three + [Given.read(.group("g"), at: 3...4, (1, 1), (2, 2), (3, 3))]),
        Case(
            "what is asked by key is there", .lostWrite,
            three + [Given.read(.keys([1, 2]), at: 3...4, (1, 1))]),
        Case(
            "what is not asked for may be missing", nil,
            three + [Given.read(.keys([]), at: 3...4)]),
        Case("a count is too low", .wrongCount, three + [Given.read(.count, at: 3...4, found: 2)]),
        Case("a count is too high", .wrongCount, three + [Given.read(.count, at: 3...4, found: 4)]),
        Case("a count is right", nil, three + [Given.read(.count, at: 3...4, found: 3)]),
        Case(
            "a followed answer may be old, and invents nothing", .phantom,
            three + [Given.read(.followed, at: 3...4, (1, 9))]),
    ]

    private static let three = [
        Given.write(
            Given.index(1, 1), Given.index(2, 2), Given.index(3, 3, group: "h"), at: 1...2)
    ]

    private static func fault(at start: Int64, _ end: Int64) -> HistoryEvent {
        .fault(FaultEvent(.workerKill, target: 1, started: start, ended: end, healed: end))
    }

    @Test("It finds the promise that is broken, and no other", arguments: writes + unknowns + kinds)
    func finds(given: Case) {
        #expect(Histories.broken(given.events) == (given.broken.map { [$0] } ?? []))
    }

    @Test("Two writers of one key at once are no history that it can judge")
    func twoWriters() {
        let broken = Histories.broken([
            Given.write(Given.index(1, 1), at: 1...5),
            Given.write(Given.index(1, 2), at: 3...6, writer: "v"),
        ])
        #expect(broken == [.unusableHistory])
    }

    @Test("A history without its beginning is not believed")
    func noBeginning() {
        #expect(HistoryChecker.violations(of: []).map(\.kind) == [.unusableHistory])
    }

    @Test("A history reads as it was written")
    func file() throws {
        let events =
            [Histories.began] + Self.unknown + Self.three + [
                Given.read(.keys([1]), at: 3...4, (1, 1), outcome: .incomplete("x"), found: 1),
                Given.look("s", at: 1...2),
            ]
        let lines = try events.map { try HistoryFile.line($0) }
        let read = try lines.map { try HistoryFile.event(of: $0) }
        #expect(read == events)
    }
}
