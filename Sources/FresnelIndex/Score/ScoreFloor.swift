import FresnelKernels
import FresnelWire

/// The score that a document must reach to be wanted, as far as that is known.
///
/// Only of searches whose first sort key is relevance, best first, read forwards. What scores
/// exactly the floor is wanted: its identifier may come first.
struct ScoreFloor: Sendable {
    /// No floor is higher: what a page begins behind must not hide what is counted behind it.
    private let ceiling: Double
    /// The least of the best scores, as many as hits are wanted; nil while there are fewer.
    var inner: Double?

    /// Nil for a search in which every found document has to be scored.
    init?(_ plan: SearchPlan) {
        guard plan.isOrdered, plan.isScored, plan.order.first?.isRelevance ?? false,
            plan.page?.isBackwards != true
        else { return nil }
        guard let page = plan.page else {
            ceiling = .infinity
            return
        }
        guard let score = Self.score(ofKey: page.key) else { return nil }
        ceiling = score
    }

    /// The floor, with what others found in mind.
    func value(_ control: SearchControl) -> Double? {
        let outer = control.threshold.flatMap(Self.score)
        guard inner != nil || outer != nil else { return nil }
        return min(max(inner ?? -.infinity, outer ?? -.infinity), ceiling)
    }

    /// The score at the front of a sort key; nil where there is none.
    private static func score(ofKey key: [UInt8]) -> Double? {
        var reader = OrderedKeyReader(OrderedKey(bytes: key))
        do throws(KernelError) {
            return try reader.readNumber(descending: true).flatMap { $0.isNaN ? nil : $0 }
        } catch {
            return nil
        }
    }
}
