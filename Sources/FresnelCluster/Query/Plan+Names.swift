import FresnelModel
import FresnelQuery
import FresnelWire

extension QueryPlan {
    /// Looks for attributes that no document can have: to sort by, to return, to count by.
    ///
    /// - Throws: 410 for the first one of a strict search.
    static func checkNames(
        of search: WireSearch, _ schema: AttributeSchema, _ warnings: inout [QueryWarning]
    ) throws(PlanRefusal) {
        let odd = UnknownNames(in: schema).warnings(
            sort: search.sort.map(\.attribute).filter { !$0.isEmpty },
            attributes: search.allAttributes ? [] : search.attributes,
            facets: search.facets.map(\.attribute))
        if search.strict, let first = odd.first {
            throw .badOption("\(first.message); this search is strict")
        }
        warnings += odd
    }
}
