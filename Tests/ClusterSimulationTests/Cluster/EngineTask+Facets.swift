@testable import FresnelCluster
import FresnelModel
import FresnelWire

extension EngineTask {
    /// The second round of facets: values take the place of hits.
    mutating func countAgain(
        _ counted: [Document], _ reports: [WireShardReport]
    ) -> MatchOutcome {
        let whole = subquery.search.facets.map { SearchModel.facet($0.attribute, of: counted) }
        let entries = subquery.rest.flatMap { rest in
            whole[Int(rest.facet)].values
                .filter { !rest.hasLast || rest.last.precedes($0) }
                .map { FacetRestEntry(facet: Int(rest.facet), value: $0) }
        }
        hits =
            entries.map { PreparedHit(key: $0.key, body: $0.body) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }[...]
        phase = .ready
        let facets = whole.map { facet in
            var facet = facet
            facet.values = []
            return facet
        }
        return MatchOutcome(
            reports: reports, available: UInt64(hits.count), facets: facets, failure: failure)
    }
}
