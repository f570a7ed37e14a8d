import Testing

@testable import FresnelWorker

struct SealPaceTests {
    private let second: Int64 = 1_000_000_000

    @Test("Memory is sealed after so many bytes, at once")
    func bytes() {
        var pace = SealPace(thresholdBytes: 100)
        pace.noteSealed(at: second)
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
        pace.noteSealed(at: second)
        for _ in 1...SealPace.thresholdParts { pace.note(bytes: 1) }
        #expect(!pace.isDue(at: 3 * second - 1, isClosing: false))
        #expect(pace.isDue(at: 3 * second, isClosing: false))
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
