internal import SwiftProtobuf

// A list of values that is too long ends early, never with a gap: what it lacks comes after its
// last value in the order of lists, and the reader of a list may rely on that.

extension [WireFacetCounts] {
    /// A worker's facets in at most `limit` bytes: `bound` says how many documents the most
    /// frequent value has that is left out.
    package func fitted(to limit: Int) -> [WireFacetCounts] {
        zip(self, cut(to: limit)).map { whole, short in
            var short = short
            if whole.values.count > short.values.count {
                short.bound = whole.values[short.values.count].count
            }
            return short
        }
    }

    /// The facets with the first of their values, in at most `limit` bytes.
    ///
    /// Small facets leave what they do not need of their share to the larger ones.
    fileprivate func cut(to limit: Int) -> [WireFacetCounts] {
        guard reduce(0, { $0 + $1.fieldBytes }) > limit else { return self }
        var facets = self
        var room = limit
        let bySize = indices.sorted { (self[$0].fieldBytes, $0) < (self[$1].fieldBytes, $1) }
        for (place, number) in bySize.enumerated() {
            facets[number].cut(to: room / (bySize.count - place))
            room -= facets[number].fieldBytes
        }
        return facets
    }
}

extension WireFacetCounts {
    /// The smallest size of a value in a list: its count, a number or an empty text, and the tags
    /// and lengths around them, as `fitted` counts them.
    package static let leastValueBytes = 10

    fileprivate mutating func cut(to limit: Int) {
        let all = values
        values = []
        values = all.prefix(within: limit - fieldBytes - 32)
    }
}

extension WireDone {
    /// Shortens lists of values that do not fit, and warns of each: what they show stays as exact
    /// as it is, but they show less than was asked for.
    package mutating func cutFacets(to limit: Int) {
        let short = facets.cut(to: limit)
        for (whole, short) in zip(facets, short) where short.values.count < whole.values.count {
            warnings.append(
                .note(
                    "only the first \(short.values.count) of \(whole.values.count) values by "
                        + "\(whole.attribute) fit one message"))
        }
        facets = short
    }
}
