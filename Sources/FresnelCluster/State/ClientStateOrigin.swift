/// Which batch the stored client state came with: a resend of it, or of an earlier one of the same
/// client, must not put an older state back.
package struct ClientStateOrigin: Hashable, Sendable {
    package let clientHigh: UInt64
    package let clientLow: UInt64
    package let batchNumber: UInt64

    package init(clientHigh: UInt64, clientLow: UInt64, batchNumber: UInt64) {
        self.clientHigh = clientHigh
        self.clientLow = clientLow
        self.batchNumber = batchNumber
    }

    init(_ key: BatchKey) {
        self.init(
            clientHigh: key.clientHigh, clientLow: key.clientLow, batchNumber: key.number)
    }

    /// Whether `other` is this batch or an earlier one of the same client.
    package func covers(_ other: ClientStateOrigin) -> Bool {
        clientHigh == other.clientHigh && clientLow == other.clientLow
            && other.batchNumber <= batchNumber
    }
}
