package import FresnelClient

/// What a cluster tells of itself at one moment, as far as its events are read from it.
package struct ClusterLook: Hashable, Sendable {
    /// One worker.
    package struct Worker: Hashable, Sendable {
        /// Whether the broker hears it, or hopes to.
        package var isHere: Bool
        /// Segments that it made out of others since its process began.
        package var merges: UInt64
        /// Bytes of those others.
        package var mergedBytes: UInt64
    }

    /// Where one copy of a shard is.
    package struct Place: Hashable, Sendable {
        package var index: String
        package var shard: UInt32
        package var worker: String
    }

    /// How that copy stands.
    package struct Copy: Hashable, Sendable {
        package var isInSync: Bool
        package var isCopying: Bool
        /// Why it is not in sync, in a word; empty where nobody has said.
        package var reason: String
    }

    /// By name.
    package var workers: [String: Worker] = [:]
    /// Of shards that shall have several.
    package var copies: [Place: Copy] = [:]

    package init() {}

    package init(_ status: ClusterStatus) {
        for worker in status.workers {
            workers[worker.name] = Worker(
                isHere: worker.state == "live" || worker.state == "suspect",
                merges: worker.merges, mergedBytes: worker.mergedBytes)
        }
        for index in status.indexes {
            for shard in index.shards {
                for replica in shard.replicas {
                    let place = Place(
                        index: index.name, shard: shard.shard.number, worker: replica.worker.name)
                    copies[place] = Copy(
                        isInSync: replica.isInSync, isCopying: replica.state == "copying",
                        reason: replica.reason)
                }
            }
        }
    }
}
