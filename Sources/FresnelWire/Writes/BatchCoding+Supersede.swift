package import FresnelModel

// The second step of a batch (protocol.md, W-17): what other shards must forget, now that the
// shards of the new versions have accepted them.

/// An identifier in a shard.
private struct VersionPlace: Hashable {
    let identifier: [UInt8]
    let shard: ShardID
}

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

    /// The versions that others of the same batch replaced, by the position of the last one.
    ///
    /// - Parameter accepted: in the order of the batch.
    package static func replacedVersions(
        of accepted: [AcceptedVersion]
    ) -> [UInt32: [WireOperation]] {
        let versions = Dictionary(grouping: accepted.map(\.operation)) { Array($0.identifier.utf8) }
        return versions.values.reduce(into: [:]) { replaced, versions in
            guard let last = versions.last, versions.count > 1 else { return }
            replaced[last.position] = versions.dropLast()
        }
    }

    /// The SUPERSEDE operations of each shard; shards without any are left out.
    ///
    /// - Parameter accepted: in the order of the batch; the last version of an identifier counts.
    package static func supersedes(
        _ accepted: [AcceptedVersion], shardCount: UInt32
    ) -> [BatchPart] {
        var last: [[UInt8]: Int] = [:]
        var newest: [VersionPlace: SequenceNumber] = [:]
        for (place, version) in accepted.enumerated() {
            let identifier = Array(version.operation.identifier.utf8)
            last[identifier] = place
            let home = RoutingKey.shard(of: version.operation.routingHash, count: shardCount)
            let spot = VersionPlace(identifier: identifier, shard: home)
            newest[spot] = max(newest[spot] ?? .zero, version.sequence)
        }
        var parts = (0..<shardCount).map { BatchPart(shard: ShardID($0)) }
        for (place, version) in accepted.enumerated() {
            let identifier = Array(version.operation.identifier.utf8)
            guard last[identifier] == place else { continue }
            var supersede = WireOperation()
            supersede.kind = .supersede
            supersede.position = version.operation.position
            let home = RoutingKey.shard(of: version.operation.routingHash, count: shardCount)
            for shard in parts.indices where shard != Int(home.number) {
                // An earlier version of the same batch may have been applied later: its shard
                // answered only when the batch was sent again.
                let spot = VersionPlace(identifier: identifier, shard: parts[shard].shard)
                supersede.supersededBy = max(version.sequence, newest[spot] ?? .zero).value
                parts[shard].append(supersede, body: identifier[...])
            }
        }
        return parts.filter { !$0.operations.isEmpty }
    }
}
