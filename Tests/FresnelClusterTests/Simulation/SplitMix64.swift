/// The simulator's only source of chance: the same seed gives the same numbers on every machine.
///
/// Source: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators".
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of 0 ..< `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func microseconds(_ range: ClosedRange<Int>) -> Duration {
        .microseconds(number(in: range))
    }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        microseconds(range.lowerBound * 1000...range.upperBound * 1000)
    }

    mutating func element<Element>(of choices: [Element]) -> Element {
        choices[below(choices.count)]
    }
}
