import Testing

@testable import FresnelSystem

@Suite("Growing bytes")
struct GrowingBytesTests {
    @Test("are what was appended, in whatever pieces and with whatever room", arguments: 0..<20)
    func appending(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var expected: [UInt8] = []
        var growing = GrowingBytes(capacity: Int.random(in: 0...300, using: &random))
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let count = Int.random(in: 0...200, using: &random)
            if Bool.random(using: &random) {
                growing.appendZeros(count)
                expected += [UInt8](repeating: 0, count: count)
            } else {
                let piece = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                // Bytes have no padding.
                unsafe growing.append(copying: piece.span.bytes)
                expected += piece
            }
            #expect(growing.count == expected.count)
        }
        let shared = growing.shared()
        #expect(shared.count == expected.count)
        #expect(shared.copy(of: 0..<shared.count) == expected)
    }

    @Test("that nobody shared give their memory back")
    func unshared() {
        // A leak would be told by the address sanitizer.
        var growing = GrowingBytes(capacity: 1 << 20)
        growing.appendZeros(2 << 20)
        #expect(growing.bytes.count == 2 << 20)
    }
}
