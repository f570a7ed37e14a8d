import FresnelIndex
import FresnelWire

extension WireRetention {
    /// What a worker was configured to keep, as it tells the broker.
    init(_ retention: Retention) {
        self.init()
        milliseconds = UInt64(clamping: Int64((retention.seconds * 1000).rounded()))
        batches = retention.sequences
    }
}
