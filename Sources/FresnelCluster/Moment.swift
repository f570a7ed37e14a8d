package import FresnelModel

/// One reading of both clocks, handed to the cores with every event.
package struct Moment: Hashable, Sendable {
    /// The monotonic clock: for timers and durations.
    package let instant: Instant
    /// The wall clock: only for stamping queries and batches.
    package let wall: Timestamp

    /// Before anything.
    static let zero = Moment(instant: Instant(nanoseconds: 0), wall: Timestamp(wholeSeconds: 0))

    package init(instant: Instant, wall: Timestamp) {
        self.instant = instant
        self.wall = wall
    }
}
