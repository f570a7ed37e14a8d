import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Two processes of one worker's name")
struct NameContestTests {
    private static let east = DirectoryIdentity(high: 1, low: 2)
    private static let west = DirectoryIdentity(high: 3, low: 4)

    private func claim(_ boot: UInt64, _ directory: DirectoryIdentity) -> NameContests.Claim {
        .init(worker: WorkerID("w"), bootID: boot, directory: directory)
    }

    private func holder(
        _ directory: DirectoryIdentity, silent seconds: Double
    ) -> NameContests.Holder {
        .init(
            bootID: 1, directory: directory, silence: .milliseconds(Int64(seconds * 1000)))
    }

    @Test("A free name, and the same process on a new connection, need no contest")
    func free() {
        var names = NameContests()
        let verdicts = [
            names.judge(claim(2, .unknown), against: nil, known: Self.east, at: start),
            names.judge(
                claim(1, .unknown), against: holder(Self.east, silent: 0), known: Self.east,
                at: start),
        ]
        #expect(verdicts == [.admit, .admit])
    }

    @Test(
        "A live process keeps its name, whoever asks for it",
        arguments: [
            (DirectoryIdentity.unknown, NameContests.Verdict.refuse(.otherDirectory)),
            (west, .refuse(.otherDirectory)), (east, .refuse(.copiedDirectory)),
        ])
    func live(directory: DirectoryIdentity, verdict: NameContests.Verdict) {
        var names = NameContests()
        for round in 0..<20 {
            // It was silent for half a second when it is asked, and answers 50 ms later.
            let asked = Double(round) * 2
            let first = names.judge(
                claim(2, directory), against: holder(Self.east, silent: 0.5), known: Self.east,
                at: at(asked))
            let second = names.judge(
                claim(2, directory), against: holder(Self.east, silent: 0.05), known: Self.east,
                at: at(asked + 0.1))
            #expect(first == .ask && second == verdict)
        }
    }

    @Test("A process that does not answer loses its name to one of its directory, and to no other")
    func silent() {
        var names = NameContests()
        for directory in [Self.east, Self.west, .unknown] {
            var verdicts: [NameContests.Verdict] = []
            for tenth in 0...12 {
                let passed = Double(tenth) / 10
                verdicts.append(
                    names.judge(
                        claim(2, directory), against: holder(Self.east, silent: 0.5 + passed),
                        known: .unknown, at: at(passed)))
            }
            #expect(verdicts.contains(.admit) == (directory == Self.east))
            #expect(!verdicts.contains(.refuse(.otherDirectory)))
            if directory == Self.east { #expect(verdicts[10] == .admit) }
            names = NameContests()
        }
    }

    @Test("Who names the directory that is known takes the name from a live one that does not")
    func known() {
        var names = NameContests()
        for directory in [Self.west, .unknown] {
            let verdict = names.judge(
                claim(2, Self.east), against: holder(directory, silent: 0), known: Self.east,
                at: start)
            #expect(verdict == .admit)
        }
    }

    @Test("The operator is told once a minute, and strangers' names fill no memory")
    func telling() {
        var names = NameContests()
        _ = names.judge(
            claim(2, .unknown), against: holder(Self.east, silent: 0), known: .unknown, at: start)
        let told = (0..<130).map { names.mayTell(of: WorkerID("w"), at: at(Double($0))) }
        #expect(told.count { $0 } == 3)
        for number in 0..<5_000 {
            let claim = NameContests.Claim(
                worker: WorkerID("w\(number)"), bootID: 2, directory: .unknown)
            let verdict = names.judge(
                claim, against: holder(Self.east, silent: 0), known: .unknown, at: start)
            #expect(verdict == .ask)
        }
        #expect(names.count <= Limits.workerSessions)
    }
}
