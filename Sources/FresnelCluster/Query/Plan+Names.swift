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
    /// The Boolean keys whose values an answer may have, in order of name.
    ///
    /// Where all attributes are returned and their names do not fit beside a batch of hits, the
    /// last are left out, with a warning: their values come as the numbers that they are.
    static func booleans(
        of search: WireSearch, _ schema: AttributeSchema, _ warnings: inout [QueryWarning]
    ) -> [String] {
        let asked = search.attributes + search.facets.map(\.attribute)
        let keys =
            search.allAttributes
            ? Array(schema.customKeys.values)
            : Set(asked.map(ExactText.init)).compactMap { schema.customKeys[$0.text] }
        var room = Limits.booleanNameBytes
        let names = keys.filter(\.isShownAsBoolean).map(\.name).sorted()
        let kept = names.prefix { name in
            room -= name.utf8.count + 3
            return room >= 0
        }
        if kept.count < names.count {
            warnings.append(
                QueryWarning(
                    offset: nil,
                    message: "\(names.count - kept.count) of \(names.count) Boolean keys do not "
                        + "fit one message: their values are shown as 1 and 0; return fewer "
                        + "attributes"))
        }
        return Array(kept)
    }
}
