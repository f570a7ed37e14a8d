// What a cluster says about itself, as it fits its frames.

extension WireAssign {
    /// Without custom keys: every part of a batch brings them.
    var shortened: WireAssign {
        var copy = self
        for number in copy.indexes.indices { copy.indexes[number].customKeys = [] }
        return copy
    }
}

extension WireHello {
    func shortened(to limit: Int) -> WireHello {
        var copy = self
        copy.name = name.shortened(to: 2048)
        copy.software = software.shortened(to: 2048)
        copy.shards = shards.prefix(within: limit - 5000)
        return copy
    }
}

extension WirePulse {
    /// The rest of the inventory stays as it was last told.
    func shortened(to limit: Int) -> WirePulse {
        var copy = self
        copy.shards = shards.prefix(within: limit - 128)
        return copy
    }
}

extension WireHosted {
    func shortened(to limit: Int) -> WireHosted {
        var copy = self
        for number in copy.failures.indices {
            copy.failures[number].failure = copy.failures[number].failure.shortened
        }
        copy.failures = copy.failures.prefix(within: limit / 2)
        copy.shards = shards.prefix(within: limit / 2)
        // A broker asks again for keys that it lacks when a batch brings them.
        for number in copy.found.indices { copy.found[number].customKeys = [] }
        return copy
    }
}

extension WireStatusReply {
    /// Leaves out custom keys, then software lines, then what does not fit; counters named
    /// `leftOut…` say how much.
    func shortened(to limit: Int) -> WireStatusReply {
        var copy = self
        copy.software = software.shortened(to: 2048)
        copy.clocks = clocks.shortened(to: 2048)
        copy.unknownReplicas = unknownReplicas.prefix(within: limit / 16)
        copy.note("leftOutUnknownReplicas", unknownReplicas.count - copy.unknownReplicas.count)
        copy.note("leftOutCustomKeys", indexes.reduce(0) { $0 + $1.customKeys.count })
        for number in copy.indexes.indices { copy.indexes[number].customKeys = [] }
        guard copy.fieldBytes > limit else { return copy }
        for number in copy.workers.indices { copy.workers[number].software = "" }
        copy.workers = copy.workers.prefix(within: limit / 3)
        copy.note("leftOutWorkers", workers.count - copy.workers.count)
        copy.removed = copy.removed.prefix(within: limit / 16)
        copy.note("leftOutRemoved", removed.count - copy.removed.count)
        copy.shortenShards(to: limit / 2)
        return copy
    }

    /// Gives every index the same room for its shards.
    private mutating func shortenShards(to limit: Int) {
        let before = indexes.reduce(0) { $0 + $1.shards.count }
        let share = limit / max(1, indexes.count)
        for number in indexes.indices {
            indexes[number].shards = indexes[number].shards.prefix(within: share - 128)
        }
        indexes = indexes.prefix(within: limit)
        note("leftOutShards", before - indexes.reduce(0) { $0 + $1.shards.count })
    }

    private mutating func note(_ name: String, _ count: Int) {
        guard count > 0 else { return }
        var counter = WireCounter()
        counter.name = name
        counter.value = UInt64(count)
        counters.append(counter)
    }
}
