import FresnelWire

extension WireShardInventory {
    /// No real counter comes near; what is beyond is a lie and would overflow.
    static let implausible: UInt64 = 1 << 62

    /// Whether the numbers can be true.
    var isPlausible: Bool { lastSequence < Self.implausible && documents < Self.implausible }
}
