import FresnelModel
import FresnelWire

extension WireHosted {
    /// What lies in a worker's directory and was not assigned: each replica in a message of its
    /// own, since many custom keys fill one, and a last message that says that this was all.
    static func messages(
        found: [WireFoundReplica], removed: [WireRemovedMark] = []
    ) -> [WireHosted] {
        var end = WireHosted()
        end.surveyed = true
        end.removed = removed.suffix(Limits.rememberedRemovals)
        return found.prefix(Limits.unknownReplicasPerWorker).map { replica in
            var message = WireHosted()
            message.found = [replica]
            return message
        } + [end]
    }

    /// What a worker hosts and what it cannot, in as many messages as their limits ask for.
    ///
    /// Each shard serves from the first HOSTED that names it, so a list may be several messages;
    /// one there is always.
    static func messages(
        shards: [WireShardInventory], failures: [WireShardFailure]
    ) -> [WireHosted] {
        let count = max(1, shards.count)
        let hosted = stride(from: 0, to: count, by: Limits.shardsPerHosted).map { first in
            var message = WireHosted()
            message.shards = Array(shards[first...].prefix(Limits.shardsPerHosted))
            return message
        }
        let refused = stride(from: 0, to: failures.count, by: Limits.failuresPerHosted).map {
            first in
            var message = WireHosted()
            message.failures = Array(failures[first...].prefix(Limits.failuresPerHosted))
            return message
        }
        return hosted + refused
    }
}
