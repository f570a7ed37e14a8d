import FresnelKernels
import Testing

@Suite("Copies of borrowed bytes")
struct ByteCopyTests {
    private enum Piece {
        case byte(UInt8)
        case word(UInt64)
        case bytes([UInt8], Range<Int>)

        /// What it is, byte by byte.
        var plain: [UInt8] {
            switch self {
            case .byte(let byte): [byte]
            case .word(let word): (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
            case .bytes(let bytes, let range): range.map { bytes[$0] }
            }
        }

        static func random(_ generator: inout TestGenerator) -> Piece {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: return .byte(UInt8.random(in: 0...255, using: &generator))
            case 1: return .word(generator.next())
            default:
                let bytes = generator.bytes(count: Int.random(in: 0...40, using: &generator))
                let start = Int.random(in: 0...bytes.count, using: &generator)
                let end = Int.random(in: start...bytes.count, using: &generator)
                return .bytes(bytes, start..<end)
            }
        }
    }

    @Test("An array made of any part or given it has its bytes", arguments: 0...40)
    func arrays(count: Int) {
        var generator = TestGenerator(seed: UInt64(count))
        let source = generator.bytes(count: count + 20)
        for start in 0...20 {
            let range = start..<start + count
            let plain = range.map { source[$0] }
            let copy = [UInt8](copying: source.span.extracting(range))
            #expect(copy == plain)
            var target = generator.bytes(count: start)
            let expected = target + plain
            target.append(copying: source.span.extracting(range))
            #expect(target == expected)
        }
    }

    @Test(
        "Pieces fill their room, or all but some of it, as plain appends do",
        arguments: 1...60 as ClosedRange<UInt64>, [0, 1, 9])
    func pieces(seed: UInt64, rest: Int) {
        var generator = TestGenerator(seed: seed)
        let count = Int.random(in: 0...20, using: &generator)
        let pieces = (0..<count).map { _ in Piece.random(&generator) }
        let plain = pieces.flatMap(\.plain)
        let found = [UInt8](capacity: plain.count + rest) { room in
            for piece in pieces {
                switch piece {
                case .byte(let byte): room.append(byte)
                case .word(let word): room.append(littleEndian: word)
                case .bytes(let bytes, let range):
                    room.append(copying: bytes.span.extracting(range))
                }
            }
        }
        #expect(found == plain, "seed \(seed): \(pieces)")
    }
}
