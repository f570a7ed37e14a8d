package import FresnelModel
package import FresnelWire

/// What can happen to the copies of a worker.
package enum TransferEvent: Sendable {
    /// The broker orders: CATCH_UP, OFFER_REPLICA or DROP_REPLICA.
    case ordered(TransferOrder)
    /// ASSIGN named a shard: orders of older epochs mean nothing any more.
    case assigned(ShardKey, Epoch)
    /// Another worker asks for a piece.
    case fetched(WireFetchReplica, number: UInt64, from: ReplicaDonor.Peer)
    /// A piece was read, or could not be.
    case pieceRead(PieceID, PieceOutcome)
    /// A donor answers.
    case chunk(CopyID, WireReplicaChunk, number: UInt64, payload: [UInt8])
    /// A question to a donor could not be sent: nobody is connected, or not yet.
    case unsent(CopyID, number: UInt64)
    /// A thread is done with something of a copy.
    case progressed(CopyID, CopyProgress)
    /// A replica was dropped; nil, or why it could not be.
    case dropped(ShardKey, WireFailure?)
    /// Time passed.
    case tick
}

/// What the broker wants of a worker's replicas.
package enum TransferOrder: Hashable, Sendable {
    case catchUp(WireCatchUp)
    case offer(WireOfferReplica)
    case drop(WireDropReplica)
}

/// What the threads of a worker report of one copy.
package enum CopyProgress: Hashable, Sendable {
    /// What is here of the shard: newest journaled part, identity, or `unknown` for nothing, and
    /// the digest of the newest record, 0 where the journal does not hold it.
    case looked(last: SequenceNumber, identity: ReplicaIdentity, digest: UInt64 = 0)
    /// The manifest was read; its files, and what is here of each.
    case manifestRead([FoundFile])
    /// Bytes were written at the end of an unfinished file.
    case stored(file: String, bytes: Int)
    /// A file was synced and compared with its name.
    case finished(file: String, isWhole: Bool)
    /// The copy is the replica.
    case installed(last: SequenceNumber, identity: ReplicaIdentity)
    /// Records were journaled, synced and applied, or were there already.
    case appended(last: SequenceNumber)
    /// A part of the broker was journaled: it followed what is here.
    case tookPart
    /// Records do not follow what is here.
    case forked(WireFailure)
    /// Something here went wrong.
    case failed(WireFailure)
}

/// What the copies of a worker want done.
package enum TransferEffect: Hashable, Sendable {
    /// Tell the broker.
    case report(WireReplicaState)
    /// As donor.
    case donate(ReplicaDonor.Effect)
    /// As receiver of one copy.
    case receive(CopyID, ShardKey, ReplicaReceiver.Effect)
    /// Connect to a donor; answers come as `chunk` of this copy.
    case connect(CopyID, endpoint: String)
    /// Close the connection.
    case disconnect(CopyID)
    /// Close a replica and remove its directory, unless it was assigned at this epoch or a newer
    /// one; leave or set aside what is not meant (`DropTarget`); report `dropped`.
    case drop(ShardKey, Epoch, DropTarget)
    /// Tell the operator.
    case log(LogLevel, String)
}
