package import FresnelModel

/// What one shard gets of a batch.
package struct BatchPart: Equatable, Sendable {
    /// The shard.
    package let shard: ShardID
    /// Its operations, in the order of the batch, with places in `payload`.
    package internal(set) var operations: [WireOperation] = []
    /// Their bodies, one after the other.
    package internal(set) var payload: [UInt8] = []

    init(shard: ShardID) { self.shard = shard }

    /// Adds an operation with its body.
    mutating func append(_ operation: WireOperation, body: ArraySlice<UInt8>) {
        var placed = operation
        placed.bodyOffset = UInt32(payload.count)
        placed.bodyLength = UInt32(body.count)
        operations.append(placed)
        payload.append(contentsOf: body)
    }
}
