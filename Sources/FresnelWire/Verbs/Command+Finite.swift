// Numbers that are none would travel on into comparisons, orders and files. What a client asks is
// checked where its request can be answered; everything else here, before anybody sees it.

extension Command {
    /// Refuses fields that are not finite in messages of brokers and workers.
    func checkFinite() throws(WireError) {
        switch self {
        case .subquery(let subquery), .statistics(let subquery):
            try check(subquery.search.context.now, "now")
            try check(subquery.search.coverage, "coverage")
            try check(subquery.changes.fromNow, "from_now")
            try check(subquery.changes.toNow, "to_now")
            try check(subquery.rest.map(\.last))
        case .putPart(let part):
            try check(part.stampedAt, "stamped_at")
            try check(part.expiredBy, "expired_by")
            try check(part.context.now, "now")
        case .assign(let assign):
            for index in assign.indexes {
                try check(index.defaultExpirationSeconds, "default_expiration_seconds")
            }
        case .checkReplica(let question): try check(question.now, "now")
        case .replicaDigest(let digest): try check(digest.droppedUntil, "dropped_until")
        case .ping(let pulse), .pong(let pulse):
            try check(pulse.wallClock, "wall_clock")
            try check(pulse.expiredBy, "expired_by")
            try check(pulse.shards)
        case .hello(let hello): try check(hello.shards)
        case .hosted(let hosted): try check(hosted.shards)
        case .partDone(let done):
            try check(done.facets.flatMap(\.values))
            for shard in done.shards { try check(shard.nextExpiration, "next_expiration") }
        case .done(let done): try check(done.facets.flatMap(\.values))
        case .statusReply(let reply):
            for index in reply.indexes {
                try check(index.defaultExpirationSeconds, "default_expiration_seconds")
            }
            try check(reply.expiredBy, "expired_by")
            for worker in reply.workers { try check(worker.clockAhead, "clock_ahead") }
        case .snapshot(let order): try check(order.source)
        case .snapshotDone(let done): try check(done.index)
        case .storeShard(let order): try check(order.source.digestAt, "digest_at")
        case .storedShard(let report): try check(report.result.digestAt, "digest_at")
        default: break
        }
    }

    private func check(_ shards: [WireShardInventory]) throws(WireError) {
        for shard in shards { try check(shard.droppedUntil, "dropped_until") }
    }

    private func check(_ index: WireSnapshotIndex) throws(WireError) {
        try check(index.defaultExpirationSeconds, "default_expiration_seconds")
        for shard in index.shards { try check(shard.digestAt, "digest_at") }
    }

    private func check(_ values: [WireFacetValue]) throws(WireError) {
        for value in values {
            switch value.value {
            case .number(let number), .date(let number): try check(number, "facets")
            case .text, nil: break
            }
        }
    }

    private func check(_ number: Double, _ field: String) throws(WireError) {
        guard number.isFinite else { throw .notFinite(verb, field: field) }
    }
}
