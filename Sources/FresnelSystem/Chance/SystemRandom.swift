/// The system's cryptographically secure generator.
package struct SystemRandom: RandomSource {
    /// Makes a source; it has no state.
    package init() {}

    package func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
