/// A reproducible generator: xoshiro256**, its state filled by SplitMix64 from one seed.
///
/// Source: Blackman & Vigna, https://prng.di.unimi.it (public domain). Not for secrets.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var first: UInt64
    private var second: UInt64
    private var third: UInt64
    private var fourth: UInt64

    /// Starts the sequence that belongs to a seed.
    package init(seed: UInt64) {
        var splitMix = seed
        func fill() -> UInt64 {
            splitMix &+= 0x9E37_79B9_7F4A_7C15
            var bits = splitMix
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
        first = fill()
        second = fill()
        third = fill()
        fourth = fill()
    }

    package mutating func next() -> UInt64 {
        let product = second &* 5
        let result = (product << 7 | product >> 57) &* 9
        let shifted = second << 17
        third ^= first
        fourth ^= second
        second ^= third
        first ^= fourth
        third ^= shifted
        fourth = fourth << 45 | fourth >> 19
        return result
    }
}
