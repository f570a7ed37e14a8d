import Synchronization

/// A reproducible source that many may share, for tests and simulation.
package final class SeededRandom: RandomSource {
    private let generator: Mutex<SeededGenerator>

    /// Starts the sequence that belongs to a seed.
    package init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    package func next() -> UInt64 { generator.withLock { $0.next() } }
}
