package import FresnelModel

// The second step of a batch (protocol.md, W-17): what other shards must forget, now that the
// shards of the new versions have accepted them.

extension BatchCoding {
    /// An INDEX that its shard accepted.
    package struct AcceptedVersion: Sendable {
        /// The sequence number of the new version: newer ones stay.
        package let sequence: SequenceNumber
        /// The operation that made it.
        package let operation: WireOperation

        package init(_ operation: WireOperation, at sequence: SequenceNumber) {
            self.operation = operation
            self.sequence = sequence
        }
    }

    /// The SUPERSEDE operations of each shard; shards without any are left out.
    ///
    /// - Parameter accepted: in the order of the batch; the last version of an identifier counts.
    package static func supersedes(
        _ accepted: [AcceptedVersion], shardCount: UInt32
    ) -> [BatchPart] {
        var last: [[UInt8]: Int] = [:]
        for (place, version) in accepted.enumerated() {
            last[Array(version.operation.identifier.utf8)] = place
        }
        var parts = (0..<shardCount).map { BatchPart(shard: ShardID($0)) }
        for (place, version) in accepted.enumerated() {
            let identifier = Array(version.operation.identifier.utf8)
            guard last[identifier] == place else { continue }
            var supersede = WireOperation()
            supersede.kind = .supersede
            supersede.position = version.operation.position
            supersede.supersededBy = version.sequence.value
            let home = RoutingKey.shard(of: version.operation.routingHash, count: shardCount)
            for shard in parts.indices where shard != Int(home.number) {
                parts[shard].append(supersede, body: identifier[...])
            }
        }
        return parts.filter { !$0.operations.isEmpty }
    }
}
