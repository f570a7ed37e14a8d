import FresnelModel

// A version that was deleted or replaced stays readable for a while: for queries on their way, and
// for cursors. Sequence numbers say what a reader may need, an instant says for how long;
// `VersionMarks` tells which number was the newest at an instant. The instants are those of the
// monotonic clock: a while is one that passed, whatever a wall clock is set to. What has expired
// stays until the broker says that it may go, and as long.

/// How long a replica keeps versions that are no longer current.
package struct Retention: Hashable, Sendable {
    /// Seconds for which a version stays readable after it was replaced.
    package var seconds: Double
    /// The batches for which it does, however old they are.
    ///
    /// A query that the broker sent just before still finds what it was promised: these are the
    /// batches of some seconds at full rate. One at an older number is refused, never answered with
    /// less. They are counted by their numbers, of which a broker that restarts skips many.
    package var sequences: UInt64

    package init(seconds: Double, sequences: UInt64 = 128) {
        self.seconds = seconds
        self.sequences = sequences
    }

    /// Five minutes.
    package static let standard = Retention(seconds: 300)

    /// By when something must have expired to be dropped: it stays readable for as long as what was
    /// replaced.
    ///
    /// - Parameter instant: what the broker names, which was over an hour ago.
    func expiry(_ instant: Timestamp?) -> Timestamp? {
        instant.flatMap { Timestamp(seconds: $0.seconds - max(0, seconds - 3600)) }
    }

    /// What is kept where the disk has no room: versions that queries on their way may ask for.
    var shortened: Retention {
        Retention(seconds: min(seconds, Self.shortSeconds), sequences: 0)
    }

    /// Longer than a query waits for its worker, short beside waiting for room.
    private static let shortSeconds = 10.0

    /// The number below which nobody reads any more, as far as batches are counted.
    func floor(of newest: SequenceNumber) -> SequenceNumber {
        SequenceNumber(newest.value > sequences ? newest.value - sequences : 0)
    }
}

/// Which sequence number was the newest at which instant, for the time of the retention.
///
/// Never more than a few hundred marks: what lies closer together than a hundredth of the retention
/// is one. Rounding keeps versions longer, never shorter.
struct VersionMarks: Sendable {
    private var marks: [(seconds: Double, sequence: SequenceNumber)] = []

    /// Takes in that a sequence number is the newest now.
    ///
    /// A clock that goes back stands still here.
    mutating func note(
        _ sequence: SequenceNumber, at seconds: Double, keeping retention: Retention
    ) {
        let now = max(seconds, marks.last?.seconds ?? seconds)
        if marks.count >= 2,
            marks[marks.count - 1].seconds - marks[marks.count - 2].seconds
                < retention.seconds / 128
        {
            marks.removeLast()
        }
        marks.append((now, sequence))
        let useless = marks.dropFirst().prefix { $0.seconds <= now - retention.seconds }.count
        marks.removeFirst(useless)
    }

    /// Versions deleted at or before this are read by nobody whose query began within the
    /// retention.
    func floor(
        of newest: SequenceNumber, at now: Double, keeping retention: Retention
    ) -> SequenceNumber {
        let mark = marks.last { $0.seconds <= now - retention.seconds }
        return min(mark?.sequence ?? .zero, retention.floor(of: newest))
    }
}
