package import FresnelModel

/// A limit of bytes a second, kept over time: a token bucket that may go into debt.
///
/// Something may be sent while the bucket holds anything; what is sent is taken out, so a large
/// piece makes the next one wait. The rate holds on average, and no burst is larger than a tenth of
/// a second and one piece.
package struct ByteRate: Hashable, Sendable {
    /// Bytes a second; 0 is no limit.
    package let bytesPerSecond: UInt64
    private var available: Double
    private var updatedAt: Instant

    package init(bytesPerSecond: UInt64, at now: Instant) {
        self.bytesPerSecond = bytesPerSecond
        available = Double(bytesPerSecond) * Self.burstSeconds
        updatedAt = now
    }

    /// How long to wait until something may be sent; zero or less: now.
    package mutating func delay(at now: Instant) -> Duration {
        guard bytesPerSecond > 0 else { return .zero }
        refill(at: now)
        guard available <= 0 else { return .zero }
        let seconds = (1 - available) / Double(bytesPerSecond)
        return .nanoseconds(Int64(min(seconds * 1e9, 1e18)) + 1)
    }

    /// Takes in that so many bytes are sent.
    package mutating func spend(_ bytes: Int, at now: Instant) {
        guard bytesPerSecond > 0 else { return }
        refill(at: now)
        available -= Double(bytes)
    }

    private mutating func refill(at now: Instant) {
        let seconds = Double((now - updatedAt).wholeNanoseconds) / 1e9
        guard seconds > 0 else { return }
        let most = Double(bytesPerSecond) * Self.burstSeconds
        available = min(most, available + seconds * Double(bytesPerSecond))
        updatedAt = now
    }

    private static let burstSeconds = 0.1
}
