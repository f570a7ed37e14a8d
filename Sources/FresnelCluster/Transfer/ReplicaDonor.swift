import FresnelKernels
import FresnelModel
package import FresnelWire

// The side that gives. A ticket comes from the broker (OFFER_REPLICA) and goes with a newer epoch,
// with a withdrawal, or when nobody used it for a while. Requests wait by ticket; one piece is read
// at a time, tickets take turns, and each only while its rate allows. So a receiver that asks for
// everything at once costs the donor 64 small requests, never memory, and never another ticket's
// turn. Reading is an effect: files are touched by another thread than the sockets'.

/// Who may read this worker's replicas, and how fast.
package struct ReplicaDonor: Sendable {
    /// A way back to whoever asked: the routing id of the connection.
    package typealias Peer = [UInt8]

    package enum Effect: Hashable, Sendable {
        /// Read the piece on another thread and report `pieceRead`.
        case read(PieceID, ShardKey, TransferTicket, WireFetchReplica)
        /// Send a chunk to who asked for it.
        case answer(Peer, number: UInt64, WireReplicaChunk, payload: [UInt8])
        /// Who asks has a ticket: the limits of strangers end.
        case confirm(Peer)
        /// Let go of what was kept for the ticket: segments, journal.
        case release(TransferTicket)
    }

    private struct Request {
        let fetch: WireFetchReplica
        let number: UInt64
        let peer: Peer
    }

    private struct Ticket {
        let shard: ShardKey
        let epoch: Epoch
        var rate: ByteRate
        var waiting: [Request] = []
        var usedAt: Instant
        /// Place in the order of turns.
        var servedAt: UInt64 = 0
    }

    private var tickets: [TransferTicket: Ticket] = [:]
    private var reading: (id: PieceID, ticket: TransferTicket, request: Request)?
    private var lastPiece: UInt64 = 0
    private var turns: UInt64 = 0
    /// Payload bytes sent since the process began.
    package private(set) var sentBytes: UInt64 = 0

    package init() {}

    /// Tickets that are good.
    package var ticketCount: Int { tickets.count }

    /// Takes in an offer; a repetition keeps what is under way, under the new rate.
    mutating func offer(_ offer: WireOfferReplica, of shard: ShardKey, at now: Instant) -> [Effect]
    {
        let name = TransferTicket(offer)
        guard !offer.withdrawn else { return withdraw(name) }
        let rate = ByteRate(bytesPerSecond: offer.bytesPerSecond, at: now)
        if tickets[name] != nil {
            tickets[name]?.usedAt = now
            if tickets[name]?.rate.bytesPerSecond != offer.bytesPerSecond {
                tickets[name]?.rate = rate
            }
            return []
        }
        tickets[name] = Ticket(shard: shard, epoch: Epoch(offer.epoch), rate: rate, usedAt: now)
        return []
    }

    /// Ends the tickets of a shard that are older than an epoch.
    mutating func fence(_ shard: ShardKey, before epoch: Epoch) -> [Effect] {
        let old = tickets.filter { $0.value.shard == shard && $0.value.epoch < epoch }
        return old.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }.flatMap { withdraw($0) }
    }

    /// Takes in a request of another worker.
    mutating func fetch(
        _ fetch: WireFetchReplica, number: UInt64, from peer: Peer, at now: Instant
    ) -> [Effect] {
        let request = Request(fetch: fetch, number: number, peer: peer)
        let name = TransferTicket(fetch)
        guard tickets[name] != nil else {
            return [refuse(request, WireFailure(.staleEpoch, "the ticket is not known here"))]
        }
        guard (1...UInt32(Limits.transferChunkBytes)).contains(fetch.length) else {
            let text = "length is \(fetch.length), 1 to \(Limits.transferChunkBytes) is allowed"
            return [refuse(request, WireFailure(.invalidArgument, text))]
        }
        tickets[name]?.usedAt = now
        guard let waiting = tickets[name]?.waiting.count, waiting < Limits.transferRequests else {
            return [.confirm(peer)]
        }
        tickets[name]?.waiting.append(request)
        return [.confirm(peer)] + advance(at: now)
    }

    /// Takes in a piece that was read.
    mutating func pieceRead(_ id: PieceID, _ outcome: PieceOutcome, at now: Instant) -> [Effect] {
        guard let (current, name, request) = reading, current == id else { return [] }
        reading = nil
        // The ticket may have been withdrawn while its piece was read.
        guard tickets[name] != nil else { return advance(at: now) }
        switch outcome {
        case .refused(let failure):
            return [refuse(request, failure)] + advance(at: now)
        case .read(let piece):
            tickets[name]?.rate.spend(piece.payload.count, at: now)
            sentBytes += UInt64(piece.payload.count)
            var chunk = Self.chunk(for: request.fetch)
            if !piece.file.isEmpty { chunk.file = piece.file }
            chunk.total = piece.total
            chunk.checksum = Hash.checksum(of: piece.payload)
            chunk.lastSequence = piece.lastSequence
            chunk.replicaBytes = piece.replicaBytes
            return [.answer(request.peer, number: request.number, chunk, payload: piece.payload)]
                + advance(at: now)
        }
    }

    /// Forgets tickets that nobody uses, and goes on where rates allow again.
    mutating func tick(at now: Instant) -> [Effect] {
        let idle = tickets.filter {
            $0.value.waiting.isEmpty && now - $0.value.usedAt >= Limits.transferTicketLife
        }
        let ended = idle.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        return ended.flatMap { withdraw($0) } + advance(at: now)
    }

    /// How long until a waiting request may be served; nil when none waits for its rate.
    mutating func nextDue(at now: Instant) -> Duration? {
        guard reading == nil else { return nil }
        var least: Duration?
        for name in tickets.keys where tickets[name]?.waiting.isEmpty == false {
            guard let delay = tickets[name]?.rate.delay(at: now) else { continue }
            least = min(least ?? delay, delay)
        }
        return least
    }

    private mutating func withdraw(_ name: TransferTicket) -> [Effect] {
        tickets.removeValue(forKey: name) == nil ? [] : [.release(name)]
    }

    /// Begins reading for the ticket whose turn it is.
    private mutating func advance(at now: Instant) -> [Effect] {
        guard reading == nil else { return [] }
        var chosen: (name: TransferTicket, servedAt: UInt64)?
        for (name, ticket) in tickets where !ticket.waiting.isEmpty {
            guard ticket.servedAt <= chosen?.servedAt ?? .max else { continue }
            guard let delay = tickets[name]?.rate.delay(at: now), delay <= .zero else { continue }
            // Two that were never served: the ticket itself decides, so that a seed means one run.
            if let chosen, chosen.servedAt == ticket.servedAt,
                (chosen.name.high, chosen.name.low) < (name.high, name.low)
            {
                continue
            }
            chosen = (name, ticket.servedAt)
        }
        guard let name = chosen?.name, let ticket = tickets[name] else { return [] }
        turns += 1
        lastPiece += 1
        tickets[name]?.servedAt = turns
        tickets[name]?.usedAt = now
        tickets[name]?.waiting.removeFirst()
        let request = ticket.waiting[0]
        reading = (PieceID(lastPiece), name, request)
        return [.read(PieceID(lastPiece), ticket.shard, name, request.fetch)]
    }

    private func refuse(_ request: Request, _ failure: WireFailure) -> Effect {
        var chunk = Self.chunk(for: request.fetch)
        chunk.failure = failure
        return .answer(request.peer, number: request.number, chunk, payload: [])
    }

    /// What an answer repeats of its request.
    private static func chunk(for fetch: WireFetchReplica) -> WireReplicaChunk {
        var chunk = WireReplicaChunk()
        chunk.ticketHigh = fetch.ticketHigh
        chunk.ticketLow = fetch.ticketLow
        chunk.piece = fetch.piece
        chunk.file = fetch.file
        chunk.offset = fetch.offset
        chunk.afterSequence = fetch.afterSequence
        return chunk
    }
}
