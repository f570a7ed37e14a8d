/// The broker's permission to copy one replica once: 128 bits of chance that only the broker, the
/// donor and the receiver know.
package struct TransferTicket: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
