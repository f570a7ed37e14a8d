import FresnelModel
import FresnelWire

// Threshold: what a part contributes to the k-th best key, and whether it should know it.

extension QueryPart {
    /// Hits that have arrived, from the first on.
    var receivedItems: UInt64 { window.usedItems }

    /// The sort key of a hit by its number among all that arrived; nil when it was passed on or
    /// dropped.
    func key(ofHit number: UInt64) -> ArraySlice<UInt8>? {
        var low = 0
        var high = buffered.count
        while low < high {
            let middle = (low + high) / 2
            if buffered[middle].firstHit <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let position = Int(number - buffered[low - 1].firstHit)
        guard position < buffered[low - 1].batch.count, number >= consumedItems else { return nil }
        return buffered[low - 1].batch.key(position)
    }

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
