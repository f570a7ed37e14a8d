import Testing

@testable import FresnelWorker

struct SealPaceTests {
    private let second: Int64 = 1_000_000_000

    @Test("Memory is sealed after so many bytes, at once")
    func bytes() {
        var pace = SealPace(thresholdBytes: 100)
        pace.noteBegun()
        pace.noteDone(at: second)
        pace.note(bytes: 99)
        #expect(!pace.isDue(at: 1000 * second, isClosing: false))
        pace.note(bytes: 1)
        #expect(pace.isDue(at: second, isClosing: false))
    }

    @Test("Memory is sealed after so many parts, at most every two seconds")
    func parts() {
        var pace = SealPace(thresholdBytes: 1 << 20)
        for _ in 1..<SealPace.thresholdParts { pace.note(bytes: 1) }
        #expect(!pace.isDue(at: 0, isClosing: false))
        pace.note(bytes: 1)
        #expect(pace.isDue(at: 0, isClosing: false))
        pace.noteBegun()
        pace.noteDone(at: second)
        for _ in 1...SealPace.thresholdParts { pace.note(bytes: 1) }
        #expect(!pace.isDue(at: 3 * second - 1, isClosing: false))
        #expect(pace.isDue(at: 3 * second, isClosing: false))
    }

    @Test("On a disk without room sealing is tried at once where there is less to seal, else later")
    func shortage() {
        var pace = SealPace(thresholdBytes: 100)
        pace.note(bytes: 400)
        pace.noteBegun()
        pace.noteFailed(at: second, unsealedBytes: 300)
        pace.noteShortage(unsealedBytes: 300)
        #expect(!pace.isDue(at: 2 * second, isClosing: false))
        pace.noteShortage(unsealedBytes: 299)
        #expect(pace.isDue(at: 2 * second, isClosing: false))
        pace.noteBegun()
        pace.noteDone(at: 2 * second)
        #expect(!pace.isDue(at: 3 * second, isClosing: true))
        pace.noteShortage(unsealedBytes: 1)
        #expect(pace.isDue(at: 3 * second, isClosing: false))
    }

    @Test("What failed is due again after a pause that doubles, up to a minute")
    func failures() {
        var pace = SealPace(thresholdBytes: 100)
        pace.note(bytes: 400)
        var now = second
        for pause in [2, 4, 8, 16, 32, 64, 64] as [Int64] {
            #expect(pace.isDue(at: now, isClosing: false))
            pace.noteBegun()
            pace.note(bytes: 400)
            pace.noteFailed(at: now)
            #expect(!pace.isDue(at: now + pause * second - 1, isClosing: false))
            #expect(!pace.isFarBehind(at: now + pause * second - 1))
            #expect(pace.isDue(at: now, isClosing: true))
            now += pause * second
            #expect(pace.isFarBehind(at: now))
        }
        pace.noteBegun()
        pace.noteDone(at: now)
        pace.note(bytes: 100)
        #expect(pace.isDue(at: now, isClosing: false))
    }

    @Test("Four times what is sealed at once is as much as may gather meanwhile")
    func behind() {
        var pace = SealPace(thresholdBytes: 100)
        pace.noteBegun()
        pace.note(bytes: 399)
        #expect(!pace.isFarBehind(at: second))
        pace.note(bytes: 1)
        #expect(pace.isFarBehind(at: second))
    }

    @Test("At the end whatever is in memory is sealed, and nothing else ever")
    func closing() {
        var pace = SealPace(thresholdBytes: 100)
        #expect(!pace.isDue(at: second, isClosing: true))
        pace.note(bytes: 0)
        #expect(pace.isDue(at: second, isClosing: true))
        #expect(!pace.isDue(at: second, isClosing: false))
    }
}
