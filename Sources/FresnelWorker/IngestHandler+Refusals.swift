import FresnelCluster
import FresnelModel
import FresnelWire

// What the writing thread answers to parts that it does not look at.

extension IngestHandler {
    /// The answer to a part that finds the thread's queue full.
    static func refusal(of part: WritePart) -> WirePartAck {
        var ack = notHosted(part)
        ack.error = WireFailure(.busy, "the writing thread has too much to do; send it again")
        return ack
    }

    /// The answer to a part of a shard that is not open.
    static func notHosted(_ part: WritePart) -> WirePartAck {
        var ack = WirePartAck()
        ack.index = part.put.index
        ack.shard = part.put.shard
        ack.error = WireFailure(
            .shardUnavailable,
            "shard \(part.put.shard) of index \(part.put.index) is not open here")
        return ack
    }
}
