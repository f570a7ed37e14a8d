package import FresnelWire

/// What a donor read of its replica for one request.
package struct TransferPiece: Hashable, Sendable {
    /// The bytes from the request's offset on; empty at the end.
    package var payload: [UInt8]
    /// The length of the whole that the bytes are of.
    package var total: UInt64
    /// The name of a manifest.
    package var file: String
    /// The newest part of the replica.
    package var lastSequence: UInt64
    /// Of a manifest: its bytes and those of all files it names.
    package var replicaBytes: UInt64

    package init(
        payload: [UInt8], total: UInt64, file: String = "", lastSequence: UInt64 = 0,
        replicaBytes: UInt64 = 0
    ) {
        self.payload = payload
        self.total = total
        self.file = file
        self.lastSequence = lastSequence
        self.replicaBytes = replicaBytes
    }
}

/// How reading a piece ended.
package enum PieceOutcome: Hashable, Sendable {
    case read(TransferPiece)
    case refused(WireFailure)
}
