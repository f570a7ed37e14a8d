import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelWire

/// Plans of the searches that were made lately on this thread: many are asked again and again.
///
/// A plan depends on the texts of a search, on the attributes of its indexes and on the instant;
/// that is put into a copy.
struct PlanCache {
    private struct Entry {
        let plan: SearchPlan
        let customKeys: [WireCustomKey]
        let schemas: [AttributeSchema]
    }

    private var entries: [SearchQuestion: Entry] = [:]
    private let capacity = 256

    /// The plan of a search over these targets, made by `make` where none is known.
    mutating func plan<Failure: Error>(
        of subquery: WireSubquery, for targets: [SearchTarget],
        _ make: () throws(Failure) -> SearchPlan
    ) throws(Failure) -> SearchPlan {
        guard let question = SearchQuestion(subquery.search) else { return try make() }
        if let entry = entries[question], entry.customKeys == subquery.customKeys,
            entry.schemas.elementsEqual(targets.lazy.map(\.snapshot.schema))
        {
            var plan = entry.plan
            plan.now = subquery.search.planContext.now
            return plan
        }
        let plan = try make()
        if entries.count >= capacity { entries.removeAll(keepingCapacity: true) }
        entries[question] = Entry(
            plan: plan, customKeys: subquery.customKeys,
            schemas: targets.map(\.snapshot.schema))
        return plan
    }
}
