package import FresnelModel

extension WorkloadQuery {
    /// The request of a query: what its class asks for.
    package func request(in index: IndexName) throws -> SearchRequest {
        var request = SearchRequest(text)
        request.indexes = [index]
        request.limit = limit
        let number = "com_bench_n"
        switch name {
        case "Q5", "Q6", "Q8", "Q11":
            // Any hits, without score: an order that asks for none, delivered as found.
            request.delivery = .found
            request.sort = [SortKey(.attribute(number), isAscending: true)]
        case "Q9":
            let isAscending = !(isDescending ?? true)
            request.sort = [SortKey(.attribute(number), isAscending: isAscending)]
        case "Q10", "Q12":
            request.isCountOnly = true
            request.limit = nil
        default: break
        }
        return request
    }

    /// What is wrong with an answer, if anything.
    package func complaint(status: String, found: Int, hits: Int) -> String? {
        guard status == "complete" else { return "\(text) ended \(status)" }
        guard found == expected else { return "\(text) finds \(found), not \(expected)" }
        let isCount = name == "Q10" || name == "Q12"
        let due = isCount ? 0 : min(limit ?? .max, expected)
        return hits == due ? nil : "\(text) gives \(hits) hits, not \(due)"
    }
}
