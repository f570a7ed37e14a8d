internal import SwiftProtobuf

extension [WireFacetCounts] {
    /// The facets in at most `limit` bytes: the most frequent values stay, and `bound` grows to the
    /// count of the most frequent one that does not.
    ///
    /// Small facets leave what they do not need of their share to the larger ones.
    package func fitted(to limit: Int) -> [WireFacetCounts] {
        guard reduce(0, { $0 + $1.fieldBytes }) > limit else { return self }
        var fitted = self
        var room = limit
        let bySize = indices.sorted { (self[$0].fieldBytes, $0) < (self[$1].fieldBytes, $1) }
        for (place, number) in bySize.enumerated() {
            fitted[number].shorten(to: room / (bySize.count - place))
            room -= fitted[number].fieldBytes
        }
        return fitted
    }
}

extension WireFacetCounts {
    /// Leaves out what does not fit, a long value rather than the ones behind it.
    fileprivate mutating func shorten(to limit: Int) {
        let all = values
        values = []
        var room = limit - fieldBytes - 32
        values = all.filter { value in
            let bytes = value.fieldBytes
            guard bytes <= room else {
                bound = Swift.max(bound, value.count)
                return false
            }
            room -= bytes
            return true
        }
    }
}
