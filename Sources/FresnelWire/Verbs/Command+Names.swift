import FresnelModel

// What broker and workers tell each other names indexes, and a worker makes paths of these names.
// They are checked here, before anybody sees them. What a client asks is checked where its request
// can be answered.

extension Command {
    /// Refuses names of indexes and files, and numbers of shards, that are none in messages of
    /// brokers and workers.
    func checkNames() throws(WireError) {
        switch self {
        case .hello(let hello): try check(hello.shards.map(\.index))
        case .ping(let pulse), .pong(let pulse): try check(pulse.shards.map(\.index))
        case .assign(let assign):
            try check(assign.indexes.map(\.index))
            for index in assign.indexes { try checkShards(index) }
        case .hosted(let hosted):
            try check(hosted.shards.map(\.index) + hosted.failures.map(\.index))
            try check(hosted.found.map(\.index) + hosted.removed.map(\.index))
        case .catchUp(let order): try check(order.index)
        case .offerReplica(let offer): try check(offer.index)
        case .dropReplica(let order): try check(order.index)
        case .replicaState(let state): try check(state.index)
        case .fetchReplica(let fetch): try check(file: fetch.file)
        case .replicaChunk(let chunk): try check(file: chunk.file)
        case .checkReplica(let question): try check(question.index)
        case .replicaDigest(let digest): try check(digest.index)
        case .putPart(let part): try check(part.index)
        case .partAck(let ack): try check(ack.index)
        case .subquery(let subquery), .statistics(let subquery):
            for target in subquery.targets { try check(target.index) }
        case .partDone(let done):
            for shard in done.shards { try check(shard.index) }
        case .storeShard(let order):
            try check(order.index)
            // Named only where a replica is made from a store.
            if !order.sourceIndex.isEmpty { try check(order.sourceIndex) }
        case .storedShard(let report): try check(report.index)
        case .welcome, .reject, .challenge, .goodbye, .join, .joined, .query, .accepted,
            .found, .credit, .done, .cancel, .error, .busy, .statisticsReply, .changes, .put,
            .putAck, .fetchState, .state, .status, .statusReply, .plan, .planReply,
            .changeIndexes, .indexesChanged, .snapshot, .snapshotDone:
            // Of clients, for them, or without a name.
            break
        }
    }

    /// Numbers of shards become folders, and what is said of each shard is read by its place.
    private func checkShards(_ index: WireIndexAssignment) throws(WireError) {
        let count = index.shards.count
        guard index.shardCount <= Limits.shardsPerIndex,
            index.shards.allSatisfy({ $0 < index.shardCount })
        else { throw .invalidName(verb, field: "shards") }
        guard index.epochs.isEmpty || index.epochs.count == count else {
            throw .invalidName(verb, field: "epochs")
        }
        guard index.identities.isEmpty || index.identities.count == count else {
            throw .invalidName(verb, field: "identities")
        }
        guard index.inSync.isEmpty || index.inSync.count == count else {
            throw .invalidName(verb, field: "in_sync")
        }
    }

    private func check(_ names: [String]) throws(WireError) {
        for name in names { try check(name) }
    }

    private func check(_ name: String) throws(WireError) {
        guard IndexName.isValid(name) else { throw .invalidName(verb, field: "index") }
    }

    /// The name of a file of a replica: hexadecimal digits, and for a segment its ending.
    private func check(file name: String) throws(WireError) {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            case UInt8(ascii: "."): name.utf8.first != byte
            default: false
            }
        }
        guard isPlain, name.utf8.count <= Limits.replicaFileNameBytes else {
            throw .invalidName(verb, field: "file")
        }
    }
}
