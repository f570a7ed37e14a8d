/// The number of a shard inside its index, from 0.
public struct ShardID: Hashable, Comparable, Sendable {
    /// 0 ..< shard count of the index.
    public let number: UInt32
    /// Makes a shard number.
    public init(_ number: UInt32) { self.number = number }
    /// Shards order by number.
    public static func < (lhs: ShardID, rhs: ShardID) -> Bool { lhs.number < rhs.number }
}

/// The position of a batch in an index's journal, from 1; 0 is "before everything".
public struct SequenceNumber: Hashable, Comparable, Sendable {
    /// The position.
    public let value: UInt64
    /// Makes a sequence number.
    public init(_ value: UInt64) { self.value = value }
    /// Before the first batch.
    public static let zero = SequenceNumber(0)
    /// The position after this one.
    public var next: SequenceNumber { SequenceNumber(value + 1) }
    /// The earlier position is the lesser.
    public static func < (lhs: SequenceNumber, rhs: SequenceNumber) -> Bool {
        lhs.value < rhs.value
    }
}

/// A configuration generation of the cluster; only ever grows.
public struct Epoch: Hashable, Comparable, Sendable {
    /// The generation.
    public let value: UInt32
    /// Makes an epoch.
    public init(_ value: UInt32) { self.value = value }
    /// The older generation is the lesser.
    public static func < (lhs: Epoch, rhs: Epoch) -> Bool { lhs.value < rhs.value }
}

/// The stable name of a worker.
public struct WorkerID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name, 1...64 characters.
    public let name: String
    /// Makes a worker name.
    public init(_ name: String) { self.name = name }
    /// Whether both names have the same bytes: names are directories and people's words for them.
    public static func == (lhs: WorkerID, rhs: WorkerID) -> Bool {
        lhs.name.hasSameBytes(as: rhs.name)
    }
    /// Workers order by the bytes of their names.
    public static func < (lhs: WorkerID, rhs: WorkerID) -> Bool {
        lhs.name.utf8.lexicographicallyPrecedes(rhs.name.utf8)
    }
    /// The name.
    public var description: String { name }
}

/// 128 random bits chosen by the originator of a request.
public struct RequestID: Hashable, Sendable {
    /// The high 64 bits.
    public let high: UInt64
    /// The low 64 bits.
    public let low: UInt64
    /// Makes an id; (0, 0) means "belongs to the session".
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
    /// Belongs to the session rather than to a request.
    public static let session = RequestID(high: 0, low: 0)
}

/// Nanoseconds of a monotonic clock; only differences mean something.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    public let nanoseconds: Int64
    /// Makes an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// The instant `duration` later.
    public static func + (lhs: Instant, rhs: Duration) -> Instant {
        Instant(nanoseconds: lhs.nanoseconds + rhs.wholeNanoseconds)
    }
    /// The time from `rhs` to `lhs`.
    public static func - (lhs: Instant, rhs: Instant) -> Duration {
        .nanoseconds(lhs.nanoseconds - rhs.nanoseconds)
    }
    /// The earlier instant is the lesser.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Whole microseconds from an earlier instant to this one; 0 if that is later.
    package func microseconds(since earlier: Instant) -> UInt64 {
        UInt64(max(0, nanoseconds - earlier.nanoseconds)) / 1000
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to ± 292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min / 2 : .max / 2 }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds < 0 ? .min / 2 : .max / 2 }
        return sum
    }
}

extension Duration {
    /// The duration in whole microseconds, never negative.
    public var wholeMicroseconds: UInt64 { UInt64(max(0, wholeNanoseconds) / 1000) }
}
