/// 128 bits under which a writer numbers its batches, so that a repeated batch changes nothing.
public struct ClientIdentity: Hashable, Sendable {
    /// The high 64 bits.
    public let high: UInt64
    /// The low 64 bits.
    public let low: UInt64

    /// Makes an identity; whoever chooses one must never use a batch number twice under it.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
