import Glibc
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
    func unshared() throws {
        // So much at once has addresses of its own, which other tests hardly ask for meanwhile.
        let (rounds, capacity) = (64, 256 << 20)
        let before = try Self.addressSpace()
        for _ in 0..<rounds {
            var growing = GrowingBytes(capacity: capacity)
            growing.appendZeros(100)
            #expect(growing.bytes.count == 100)
        }
        #expect(try Self.addressSpace() - before < rounds * capacity / 2)
    }

    /// The bytes of memory that this process has addresses for.
    private static func addressSpace() throws -> Int {
        let statm = try FileDescriptor(opening: "/proc/self/statm", flags: O_RDONLY)
        let text = String(decoding: try statm.readSome(limit: 256), as: UTF8.self)
        let pages = try #require(text.split(separator: " ").first.flatMap { Int($0) })
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
