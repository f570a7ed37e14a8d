import FresnelModel
import FresnelWire

// Threshold: what a part contributes to the k-th best key, and whether it should know it.

extension QueryPart {
    /// Hits that have arrived, from the first on.
    var receivedItems: UInt64 { window.usedItems }

    /// Whether the worker does not know this threshold yet and may have hits behind it.
    ///
    /// - Parameter limit: the most hits that it sends in all.
    func shouldKnow(_ threshold: [UInt8], limit: UInt64) -> Bool {
        guard case .streaming = phase, !wasToldEnough else { return false }
        if let known = self.threshold, !threshold.lexicographicallyPrecedes(known) { return false }
        guard expectedSequence > 0, !counted.isEmpty else { return true }
        return receivedItems < min(counted.map(\.found).saturatingSum, limit)
    }
}
