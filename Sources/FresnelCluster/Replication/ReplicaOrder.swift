package import FresnelModel

/// What the broker tells workers to do with a copy of a shard.
///
/// The order names the shard's epoch at which it was decided; a worker that was told a newer one
/// refuses it. Repeating an order changes nothing.
package enum ReplicaOrder: Hashable, Sendable {
    /// Make the replica here equal to the donor's, then follow it until parts come from the broker.
    ///
    /// What is here and is not in the donor's journal is not data, whatever its number: it goes.
    case catchUp(CatchUp)
    /// Let the holder of a ticket read a replica.
    case offer(Offer)
    /// Forget the replica, with its files.
    ///
    /// - Parameter target: which directory is meant.
    case drop(shard: ShardKey, epoch: Epoch, target: DropTarget)

    /// To the receiver: where to read.
    package struct CatchUp: Hashable, Sendable {
        package var index: IndexIdentity
        package var shard: ShardKey
        package var epoch: Epoch
        package var ticket: TransferTicket
        /// Where the donor lets its replicas be read, as its HELLO told.
        package var donorEndpoint: String
        package var donor: WorkerID
        package var donorIdentity: ReplicaIdentity
        /// Whether what is here is wrong although its journal may go on: whole files are copied,
        /// and what is here is set aside.
        package var isAfresh = false
        /// Whether what is here may hold more than the whole files that replace it, whatever its
        /// numbers say: then it is set aside.
        package var keepsReplaced = false
        /// A donor that has less than this part cannot give what is missing.
        package var leastSequence = SequenceNumber.zero
        /// Whether what the ticket began shall end.
        package var isWithdrawn = false
    }

    /// To the donor: who may read, and how fast.
    package struct Offer: Hashable, Sendable {
        package var index: IndexIdentity
        package var shard: ShardKey
        package var epoch: Epoch
        package var ticket: TransferTicket
        package var receiver: WorkerID
        /// 0 is no limit.
        package var bytesPerSecond: UInt64
        /// Whether the ticket is good for nothing any more.
        package var isWithdrawn = false
    }
}

/// How far a replica is that catches up, as its worker tells the broker.
///
/// Sent when the phase changes, and about once a second. Once it has caught up it gets parts from
/// the broker; one that does not follow what it has is refused with `gap`.
package struct ReplicaProgress: Hashable, Sendable {
    /// In this order; `failed` from any.
    package enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Files and the journal before the donor's newest record are on their way.
        case copying
        /// Open, and as the donor was at `lastSequence`; its newer records follow.
        case tailing
        /// Nothing newer is known of the donor.
        case caughtUp
        case failed
    }

    package var shard: ShardKey
    package var epoch: Epoch
    package var ticket: TransferTicket
    package var phase: Phase
    package var bytesDone: UInt64
    package var bytesTotal: UInt64
    /// The newest part of the replica; 0 while copying.
    package var lastSequence: SequenceNumber
    /// The replica's; another one than before once a copy is in place.
    package var identity = ReplicaIdentity.unknown
    /// Why it failed, or nil.
    package var failure: String?

    package init(
        shard: ShardKey, epoch: Epoch, ticket: TransferTicket, phase: Phase,
        bytesDone: UInt64 = 0, bytesTotal: UInt64 = 0, lastSequence: SequenceNumber = .zero,
        failure: String? = nil
    ) {
        self.shard = shard
        self.epoch = epoch
        self.ticket = ticket
        self.phase = phase
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.lastSequence = lastSequence
        self.failure = failure
    }
}
