package import FresnelModel

/// What stands around the sort key of a changed hit.
package enum ChangeKeys {
    /// The first byte: the hit is no longer part of the answer.
    ///
    /// Removals come before additions.
    package static let removed: UInt8 = 0
    /// The first byte: the hit has become part of the answer.
    package static let added: UInt8 = 1

    /// The last bytes: the number of the shard, big endian.
    package static func ending(of shard: ShardID) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: shard.number >> (8 * $0)) }
    }
}
