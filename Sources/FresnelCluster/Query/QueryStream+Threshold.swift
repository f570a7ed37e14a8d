import FresnelModel
import FresnelWire

// Threshold: once as many hits are known as are wanted, those behind the last of them are not, and
// the workers are told (Documentation/protocol.md, Q-54 and Q-55).
//
// What a worker was told cannot be taken back. Should a part fail whose hits counted, others have
// left out what is wanted now; so nothing behind a threshold is ever delivered. Then the answer,
// which is incomplete anyway, ends where it is still the beginning of what was searched, and its
// cursor goes on from there.

extension QueryStream {
    /// What becomes of hits by a plan: nil where no threshold can be of use.
    static func bestHits(of plan: QueryPlan, parts: Int? = nil) -> BestHits? {
        guard plan.isOrdered, let limit = plan.limit, limit > 0, !plan.search.countOnly,
            plan.page?.isBackwards != true
        else { return nil }
        return BestHits(limit: limit, parts: parts ?? plan.parts.count)
    }

    /// Looks whether a part's new hits are among the best that are known.
    mutating func narrow(byPart number: Int) {
        guard best?.look(at: number, of: parts) == true,
            let key = best?.threshold(of: parts), key.count <= Limits.boundBytes
        else { return }
        if let threshold, !key.lexicographicallyPrecedes(threshold) { return }
        wantedThreshold = key
    }

    /// How long a part is left alone: most have answered by then, and one more message would cost
    /// them more than it saves.
    private static let patience = Duration.milliseconds(1)

    /// The threshold that a part should be told now.
    mutating func news(forPart number: Int, at now: Instant) -> [UInt8]? {
        guard let key = wantedThreshold, parts[number].shouldKnow(key, limit: best?.limit ?? .max)
        else { return nil }
        if let sentAt = parts[number].sentAt, now - sentAt < Self.patience {
            holdsNews = true
            return nil
        }
        parts[number].threshold = key
        threshold = key
        return key
    }

    /// Whether a hit lies behind what some worker was told is wanted.
    func isBehindThreshold(_ key: ArraySlice<UInt8>) -> Bool {
        threshold.map { $0.lexicographicallyPrecedes(key) } ?? false
    }

    /// Whether everything that may still come lies behind the threshold.
    var isBeyondThreshold: Bool {
        guard threshold != nil else { return false }
        return parts.indices.allSatisfy { number in
            if let key = parts[number].hits.headKey { return isBehindThreshold(key) }
            return !parts[number].isOpen
                || parts[number].floor.map { isBehindThreshold($0[...]) } ?? false
        }
    }
}
