import FresnelModel
package import FresnelWire

// Orders and reports as they travel (Documentation/protocol.md, R-1 to R-11).

extension ReplicaOrder {
    /// The order as a message.
    package var command: Command {
        switch self {
        case .catchUp(let order):
            var wire = WireCatchUp()
            wire.index = order.shard.index
            wire.indexIdentityHigh = order.index.high
            wire.indexIdentityLow = order.index.low
            wire.shard = order.shard.shard.number
            wire.epoch = order.epoch.value
            wire.ticketHigh = order.ticket.high
            wire.ticketLow = order.ticket.low
            wire.donorEndpoint = order.donorEndpoint
            wire.donorWorker = order.donor.name
            wire.donorIdentity = order.donorIdentity.value
            wire.withdrawn = order.isWithdrawn
            wire.afresh = order.isAfresh
            wire.keepsReplaced = order.keepsReplaced
            wire.leastSequence = order.leastSequence.value
            return .catchUp(wire)
        case .offer(let order):
            var wire = WireOfferReplica()
            wire.index = order.shard.index
            wire.indexIdentityHigh = order.index.high
            wire.indexIdentityLow = order.index.low
            wire.shard = order.shard.shard.number
            wire.epoch = order.epoch.value
            wire.ticketHigh = order.ticket.high
            wire.ticketLow = order.ticket.low
            wire.receiverWorker = order.receiver.name
            wire.bytesPerSecond = order.bytesPerSecond
            wire.withdrawn = order.isWithdrawn
            return .offerReplica(wire)
        case .drop(let shard, let epoch, let target):
            var wire = WireDropReplica()
            wire.index = shard.index
            wire.shard = shard.shard.number
            wire.epoch = epoch.value
            target.write(to: &wire)
            return .dropReplica(wire)
        }
    }
}

extension ReplicaProgress {
    /// Reads a report; nil for a phase that this version does not know, and for the answer to an
    /// order to forget a replica.
    package init?(_ wire: WireReplicaState) {
        switch wire.phase {
        case .copying: phase = .copying
        case .tailing: phase = .tailing
        case .caughtUp: phase = .caughtUp
        case .failed: phase = .failed
        case .dropped, .unspecified, .UNRECOGNIZED: return nil
        }
        shard = ShardKey(index: wire.index, shard: ShardID(wire.shard))
        epoch = Epoch(wire.epoch)
        ticket = TransferTicket(high: wire.ticketHigh, low: wire.ticketLow)
        bytesDone = wire.bytesDone
        bytesTotal = wire.bytesTotal
        lastSequence = SequenceNumber(wire.lastSequence)
        identity = ReplicaIdentity(wire.identity)
        failure = wire.hasFailure ? wire.failure.message : nil
    }
}
