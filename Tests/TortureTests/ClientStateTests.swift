import Testing
import TortureHistory

@Suite("The checker of client states")
struct ClientStateTests {
    private typealias Given = Histories

    private static func commit(
        _ expected: String, _ new: String, at times: ClosedRange<Int64>,
        _ outcome: WriteOutcome = .acknowledged(refused: [:]), key: Int = 1, writer: String = "w"
    ) -> HistoryEvent {
        Given.write(
            Given.index(key, Int(times.lowerBound)), at: times, outcome, state: (expected, new),
            writer: writer)
    }

    private static let excuse = HistoryEvent.fault(
        FaultEvent(.workerKill, target: 1, started: 0, ended: 99, healed: 99))

    @Test(
        "It finds what contradicts one chain of states",
        arguments: [
            ([commit("", "a", at: 1...2), Given.look("a", at: 3...4)], nil),
            ([commit("", "a", at: 1...2), Given.look("", at: 3...4)], .wrongClientState),
            ([commit("", "a", at: 1...5), Given.look("", at: 3...4)], nil),
            ([Given.look("a", at: 3...4)], nil),
            ([commit("", "a", at: 5...6), Given.look("a", at: 3...4)], .wrongClientState),
            ([commit("", "b", at: 5...6), Given.look("a", at: 3...4)], .wrongClientState),
            (
                [
                    commit("", "a", at: 1...2),
                    commit("", "b", at: 3...4, key: 2, writer: "v"),
                ], .wrongClientState
            ),
            (
                [commit("", "a", at: 1...2, .refused("mismatch")), Given.look("a", at: 3...4)],
                .wrongClientState
            ),
            (
                [
                    commit("", "a", at: 1...2), commit("a", "b", at: 3...4),
                    Given.look("a", at: 5...6),
                ], .wrongClientState
            ),
            (
                [
                    commit("", "a", at: 1...2), commit("a", "b", at: 3...9),
                    Given.look("b", at: 4...5), Given.look("a", at: 6...7),
                ], .wrongClientState
            ),
        ] as [([HistoryEvent], Violation.Kind?)])
    func chains(events: [HistoryEvent], broken: Violation.Kind?) {
        let found = Histories.broken(events)
        // Nobody committed anything: then there is no chain to compare with.
        #expect(found == (broken.map { [$0] } ?? []))
    }

    @Test("A batch whose state was seen is as good as acknowledged")
    func seen() {
        let events = [
            Self.excuse, Self.commit("", "a", at: 1...2, .unknown("timeout")),
            Given.look("a", at: 3...4),
        ]
        #expect(Histories.broken(events + [Given.read(at: 5...6, (1, 1))]).isEmpty)
        #expect(Histories.broken(events + [Given.read(at: 5...6)]) == [.lostWrite])
    }

    @Test("A batch on top of whose state another was committed is as good as acknowledged")
    func builtUpon() {
        let events = [
            Self.excuse, Self.commit("", "a", at: 1...2, .unknown("timeout")),
            Self.commit("a", "b", at: 3...4, key: 2, writer: "v"),
        ]
        #expect(Histories.broken(events + [Given.read(at: 5...6, (1, 1), (2, 3))]).isEmpty)
        #expect(Histories.broken(events + [Given.read(at: 5...6, (2, 3))]) == [.lostWrite])
    }

    @Test("A batch whose state was not seen may be there or not")
    func unseen() {
        let events = [
            Self.excuse, Self.commit("", "a", at: 1...2, .unknown("timeout")),
            Given.look("", at: 3...4),
        ]
        #expect(Histories.broken(events + [Given.read(at: 5...6)]).isEmpty)
        #expect(Histories.broken(events + [Given.read(at: 5...6, (1, 1))]).isEmpty)
    }
}
