/// Everything a role of the cluster takes from the outside world, chosen once in its `main`.
///
/// No other module reads a clock, rolls a die or opens a file, so a test or a simulator that passes
/// its own environment decides every outcome.
package struct Environment: Sendable {
    /// What time it is.
    package let time: any TimeSource
    /// Where identifiers and jitter come from.
    package let chance: any RandomSource
    /// Where files are.
    package let storage: any Storage

    /// Joins three sources.
    package init(time: any TimeSource, chance: any RandomSource, storage: any Storage) {
        self.time = time
        self.chance = chance
        self.storage = storage
    }

    /// The machine's clock, its random generator and its disks.
    package static let system = Environment(
        time: SystemTime(), chance: SystemRandom(), storage: DiskStorage())
}
