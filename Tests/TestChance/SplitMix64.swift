/// The only source of chance of simulations and seeded tests: the same seed gives the same numbers
/// on every machine.
///
/// Source: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators".
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Starts the numbers that belong to a seed.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of 0 ..< `bound`.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    package mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    package mutating func microseconds(_ range: ClosedRange<Int>) -> Duration {
        .microseconds(number(in: range))
    }

    package mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        microseconds(range.lowerBound * 1000...range.upperBound * 1000)
    }

    package mutating func element<Element>(of choices: [Element]) -> Element {
        choices[below(choices.count)]
    }
}
