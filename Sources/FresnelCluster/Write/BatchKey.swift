package import FresnelModel
package import FresnelWire

/// Names a shard of an index.
package struct ShardKey: Hashable, Comparable, Sendable {
    package let index: String
    package let shard: ShardID

    package init(index: String, shard: ShardID) {
        self.index = index
        self.shard = shard
    }

    package static func < (lhs: ShardKey, rhs: ShardKey) -> Bool {
        (lhs.index, lhs.shard) < (rhs.index, rhs.shard)
    }

    /// Indexes are few, and each query looks a dozen times: names of one length share a place.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(index.utf8.count) << 32 | UInt64(shard.number))
    }
}

/// Names a batch for ever: resending it changes nothing.
package struct BatchKey: Hashable, Sendable {
    package let index: String
    package let clientHigh: UInt64
    package let clientLow: UInt64
    package let number: UInt64

    package init(_ put: WirePut) {
        index = put.index
        clientHigh = put.clientHigh
        clientLow = put.clientLow
        number = put.batchNumber
    }
}
