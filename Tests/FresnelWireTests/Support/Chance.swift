/// A small seeded generator (SplitMix64), so that a failing case is one number.
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func text(_ longest: Int = 12) -> String {
        let letters = Array("abcdefgh äöü東京🍎 .*\"")
        return String((0..<below(longest + 1)).map { _ in letters[below(letters.count)] })
    }

    mutating func bytes(_ longest: Int) -> [UInt8] {
        (0..<below(longest + 1)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// Changes bytes in one of the ways in which wires and attackers change them.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return self.bytes(4) }
        switch below(5) {
        case 0: bytes[below(bytes.count)] ^= 1 << below(8)
        case 1: bytes.removeLast(1 + below(bytes.count))
        case 2: bytes.append(contentsOf: self.bytes(4) + [0])
        case 3: bytes[below(bytes.count)] = 0xFF
        default:
            let start = below(bytes.count)
            for position in start..<min(bytes.count, start + 8) { bytes[position] = 0xFF }
        }
        return bytes
    }
}
