import FresnelModel
import FresnelSystem
import Testing

@testable import FresnelIndex

@Suite("The marks of the retention")
struct VersionMarksTests {
    private let retention = Retention(seconds: 100, sequences: 0)

    @Test("never let a version go early, and let it go within a fiftieth of the retention")
    func floors() {
        let random = SeededRandom(seed: 5)
        var marks = VersionMarks()
        var history: [(seconds: Double, sequence: UInt64)] = []
        var now = 0.0
        for sequence in 1...4000 as ClosedRange<UInt64> {
            now += Double(random.next() % 100) / 200
            marks.note(SequenceNumber(sequence), at: now, keeping: retention)
            history.append((now, sequence))
            let floor = marks.floor(
                of: SequenceNumber(sequence), at: now, keeping: retention
            ).value
            let exact = history.last { $0.seconds <= now - 100 }?.sequence ?? 0
            let late = history.last { $0.seconds <= now - 102 }?.sequence ?? 0
            #expect(floor <= exact && floor >= late, "at \(now): \(floor), \(late)...\(exact)")
        }
    }

    @Test("keep as many batches as are asked for, however old they are")
    func sequences() {
        var marks = VersionMarks()
        let many = Retention(seconds: 1, sequences: 10)
        marks.note(SequenceNumber(50), at: 0, keeping: many)
        #expect(
            marks.floor(of: SequenceNumber(50), at: 1000, keeping: many) == SequenceNumber(40))
    }

    @Test("keep more when the clock goes back, never less")
    func clock() {
        var marks = VersionMarks()
        marks.note(SequenceNumber(1), at: 1000, keeping: retention)
        marks.note(SequenceNumber(2), at: 5, keeping: retention)
        #expect(marks.floor(of: SequenceNumber(2), at: 200, keeping: retention) == .zero)
        #expect(
            marks.floor(of: SequenceNumber(2), at: 1101, keeping: retention) == SequenceNumber(2))
    }
}
