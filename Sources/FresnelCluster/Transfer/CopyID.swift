import FresnelWire

extension TransferTicket {
    init(_ order: WireCatchUp) { self.init(high: order.ticketHigh, low: order.ticketLow) }
    init(_ offer: WireOfferReplica) { self.init(high: offer.ticketHigh, low: offer.ticketLow) }
    init(_ fetch: WireFetchReplica) { self.init(high: fetch.ticketHigh, low: fetch.ticketLow) }
    init(_ chunk: WireReplicaChunk) { self.init(high: chunk.ticketHigh, low: chunk.ticketLow) }
}

/// Names one copy that this process receives; never reused, so that late answers of threads and
/// donors are told from those that are due.
package struct CopyID: Hashable, Sendable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// Names one piece that this process reads for another worker.
package struct PieceID: Hashable, Sendable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}
