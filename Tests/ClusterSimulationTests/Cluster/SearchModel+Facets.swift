import FresnelModel
import FresnelWire

@testable import FresnelCluster

extension SearchModel {
    /// What a random query counts by: little room makes its workers leave values out.
    static func facets(hasLittleRoom: Bool) -> [WireFacetRequest] {
        [("rating", hasLittleRoom ? 4 : 3), ("title", 5)].map { name, limit in
            var request = WireFacetRequest()
            request.attribute = name
            request.limit = UInt32(limit)
            return request
        }
    }

    /// The facets as a worker counts and sends them.
    func facets(of documents: [Document]) -> [WireFacetCounts] {
        let whole = facetRequests.map { Self.facet($0.attribute, of: documents) }
        return whole.fitted(to: facetRequests.first?.limit == 4 ? 100 : Limits.facetBytes)
    }

    /// All values of one attribute.
    static func facet(_ attribute: String, of documents: [Document]) -> WireFacetCounts {
        var values: [AttributeValue: UInt64] = [:]
        for document in documents {
            guard let value = document.attributes[attribute] else { continue }
            values[value, default: 0] += 1
        }
        var facet = WireFacetCounts()
        facet.attribute = attribute
        facet.documents = values.values.reduce(0, +)
        facet.missing = UInt64(documents.count) - facet.documents
        facet.distinct = UInt64(values.count)
        facet.values = values.compactMap { value, count in
            var entry = WireFacetValue()
            entry.count = count
            switch value {
            case .number(let number): entry.number = number
            case .string(let text): entry.text = text
            default: return nil
            }
            return entry
        }.sorted { $0.precedes($1) }
        return facet
    }
}

extension Simulation {
    /// Facets count what was found, and where every hit came they are those of the hits: exactly,
    /// or within the bound that they name.
    mutating func checkFacets(_ done: WireDone, _ query: AskedQuery) {
        guard done.facets.map(\.attribute) == query.search.facets.map(\.attribute) else {
            return violate(
                .countsTrue, "\(done.facets.count) facets for \(query.search.facets.count)")
        }
        for (request, facet) in zip(query.search.facets, done.facets) {
            tally.note(facet)
            if query.isFinal, facet.bound > 0 {
                violate(.countsTrue, "facet \(facet.attribute) is not exact in the calm")
            }
            // Of an answer that ended early, facets count what its finished parts found.
            let counted = facet.documents + facet.missing
            if done.complete ? counted != done.found : counted > done.found {
                violate(
                    .countsTrue,
                    "facet \(facet.attribute) counts other documents than the \(done.found)")
            }
            guard done.complete, !query.search.countOnly, query.usedItems == done.found else {
                continue
            }
            let expected = SearchModel.facet(
                request.attribute, of: query.hits.map(\.document))
            if let fault = fault(facet, expected, limit: Int(request.limit)) {
                violate(.countsTrue, "facet \(facet.attribute): \(fault)")
            }
        }
    }

    private func fault(
        _ facet: WireFacetCounts, _ expected: WireFacetCounts, limit: Int
    ) -> String? {
        guard facet.bound > 0 else {
            let isEqual = facet.values == Array(expected.values.prefix(limit))
            return isEqual ? nil : "\(facet.values) are not the first of \(expected.values)"
        }
        let last = facet.values.count < limit ? 0 : facet.values.last?.count ?? 0
        for value in expected.values {
            let listed = facet.values.first { $0.value == value.value }
            let least = listed?.count ?? 0
            if value.count < least || value.count > (listed?.count ?? last) + facet.bound {
                return "\(value) is listed with \(least), bound \(facet.bound)"
            }
        }
        return nil
    }
}
