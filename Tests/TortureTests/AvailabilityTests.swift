import Testing
import TortureHistory

@Suite("The checker of what must go on beside faults")
struct AvailabilityTests {
    private typealias Given = Histories

    private static func fault(
        _ kind: FaultKind, _ start: Int64, _ end: Int64, healed: Int64? = nil
    ) -> HistoryEvent {
        .fault(FaultEvent(kind, target: 1, started: start, ended: end, healed: healed ?? end))
    }

    private func isExcused(_ events: [HistoryEvent], beside faults: [HistoryEvent]) -> Bool {
        HistoryChecker.violations(of: events + faults).isEmpty
    }

    private static let failures = [
        Given.read(at: 10...20, outcome: .incomplete("a shard")),
        Given.read(at: 10...20, outcome: .failed("nobody there")),
        Given.write(.delete(key: 1), at: 10...20, .unknown("timeout")),
    ]

    @Test("Nothing fails without a fault", arguments: [Histories.began, Histories.replicated])
    func calm(run: HistoryEvent) {
        for failure in Self.failures {
            #expect(!isExcused([run, failure], beside: []))
            #expect(!isExcused([run, failure], beside: [Self.fault(.brokerKill, 1, 5)]))
            #expect(!isExcused([run, failure], beside: [Self.fault(.brokerKill, 21, 25)]))
        }
    }

    @Test("With one replica every fault excuses, until all is whole", arguments: FaultKind.allCases)
    func single(kind: FaultKind) {
        for failure in Self.failures {
            let events = [Histories.began, failure]
            #expect(isExcused(events, beside: [Self.fault(kind, 15, 16)]))
            #expect(isExcused(events, beside: [Self.fault(kind, 1, 5, healed: 12)]))
        }
    }

    @Test("With two replicas one worker is borne, the broker is not", arguments: FaultKind.allCases)
    func replicated(kind: FaultKind) {
        for failure in Self.failures {
            let events = [Histories.replicated, failure]
            let excused = isExcused(events, beside: [Self.fault(kind, 12, 15, healed: 30)])
            #expect(excused != kind.isBorneByReplicas)
            let both = [Self.fault(kind, 12, 15), Self.fault(.workerKill, 14, 17)]
            #expect(isExcused(events, beside: both), "two faults at a time")
        }
    }

    @Test("Damaged, different and missing replicas are found")
    func replicas() {
        func broken(_ replicas: ReplicaEvent...) -> [Violation.Kind] {
            HistoryChecker.violations(of: [Histories.replicated] + replicas.map { .replica($0) })
                .map(\.kind)
        }
        let first = ReplicaEvent(worker: "a", index: "i", shard: 0, digest: "x")
        var second = ReplicaEvent(worker: "b", index: "i", shard: 0, digest: "x")
        #expect(broken(first, second).isEmpty)
        #expect(broken(first) == [.replicasDiffer])
        second.digest = "y"
        #expect(broken(first, second) == [.replicasDiffer])
        second.digest = "x"
        second.isSound = false
        #expect(broken(first, second) == [.damagedReplica])
    }

    @Test("Changes that do not apply to a followed answer are told")
    func followed() {
        func document(_ key: Int, _ version: Int) -> Observation {
            Observation(key: key, base: version, version: version)
        }
        var answer = FollowedAnswer([document(1, 1), document(2, 2)])
        answer.remove(document(1, 1))
        answer.add(document(1, 3))
        #expect(answer.faults.isEmpty && answer.observed == [document(1, 3), document(2, 2)])
        answer.add(document(2, 4))
        answer.remove(document(1, 1))
        answer.remove(document(5, 5))
        #expect(answer.faults.count == 3)
    }

    @Test("Recovery is the time to the first complete answer to what was asked behind the fault")
    func recovery() {
        let summary = RunSummary(of: [
            Given.read(at: 1...100), Given.read(at: 12...50), Given.read(at: 30...60),
            Given.read(at: 15...20, outcome: .incomplete("x")),
            Self.fault(.workerKill, 10, 25, healed: 40),
        ])
        let recovery = summary.recoveries[.workerKill]
        #expect(recovery?.fromFault == [40] && recovery?.fromEnd == [35])
        #expect(recovery?.healing == [15] && recovery?.count == 1)
        #expect(summary.complete == 3 && summary.incomplete == 1)
    }
}
