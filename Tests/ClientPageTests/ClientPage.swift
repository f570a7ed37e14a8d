import FresnelClient
import Foundation

// The examples of Documentation/client.md in their order, compiled as a program outside of the
// package would be. What stands between the marks is the same there, letter by letter.

enum ClientPage {
    static func firstProgram() async throws {
        // example
        try await withSearchClient { client in
            let report = try await client.index().index([
                Document(
                    uniqueIdentifier: "apple",
                    attributes: ["title": "Apple Pie", "keywords": ["fruit", "cake"], "rating": 5])
            ])
            for refusal in report.refusals { print(refusal) }
            let query = client.search(SearchRequest(.everything("app")))
            for try await hit in query.hits { print(hit.uniqueIdentifier, hit.score ?? 0) }
            let completion = try await query.completion()
            print(completion.status, "\(completion.found) of \(completion.searched)")
        }
        // end
    }

    static func everyField(_ completion: Completion) throws -> [SearchRequest] {
        // example
        var request = SearchRequest(.everything("apple"), filters: [.attribute("price") < 3])
        request.filter(by: .attribute("keywords").exactly("fruit"))  // one more
        request.filters.append("rating >= 4")  // in the query language
        request.indexes = [try IndexName("shop")]  // all
        request.attributes = ["title", "price"]  // to return with each hit: none
        request.returnsAllAttributes = false
        request.isHighlighted = true  // what of them was found: false
        request.sort = [.descending("rating"), .ascending("price")]  // by relevance
        request.limit = 20  // all hits
        request.facets = [FacetRequest("keywords", limit: 5)]  // none
        request.delivery = .final  // .settled: each as soon as its place is certain
        request.credit = 100  // hits under way: 1000
        request.deadline = .seconds(2)  // as Limits.deadlineDefault
        request.coverage = .fraction(0.9)  // .all
        request.slot = "search field"  // none; a newer query in it cancels this one
        request.isStrict = true  // an unknown attribute is an error: a warning
        request.now = Timestamp(iso8601: "2026-11-29T12:00:00Z")  // the broker's clock
        request.timeZone = "Europe/Berlin"  // UTC
        request.firstWeekday = 7  // 1, Monday
        request.language = "de"  // none: letters are folded without regard to a language

        var page = SearchRequest("title == \"app*\"cdw")
        page.after = completion.next  // or before = completion.previous, not both
        page.before = nil
        page.explainsScores = true
        var count = SearchRequest(.attribute("rating") >= 4)
        count.isCountOnly = true
        count.isFollowed = true  // stays, see Following
        count.query = "rating >= 5"
        var chosen = SearchRequest(identifiers: ["apple", "pear"])  // no query; all attributes
        chosen.identifiers.append("plum")
        // end
        return [request, page, count, chosen]
    }

    static func builtQueries() -> [Query] {
        // example
        let query: Query =
            .attribute("title").matches(.word("apple"), .folded)
            && !(.attribute("rating") < 3 || .attribute("keywords").exactly("sold out"))
            && .attribute("contentCreationDate") >= .today(-10)
        let typed: Query = .everything("fuji app")  // ** == "fuji"cdw && ** == "app*"cdw
        let percent: Query = .attribute("title").contains("50%")
        // end
        return [query, typed, percent]
    }

    static func writing(_ client: SearchClient) async throws {
        // example
        struct Product: Codable {
            var id: String
            var title: String
            var price: Double
            var tags: [String] = []
            var soldOut: Date?
        }

        let products = [Product(id: "apple", title: "Apple", price: 0.5, tags: ["fruit"])]
        let shop = try client.index(named: "shop")
        let report = try await shop.index(encoding: products)
        if let refusal = report.refusals.first { throw refusal.error }

        var request = SearchRequest(.attribute("price") < 1)
        request.returnsAllAttributes = true
        for try await hit in client.search(request).hits {
            let product = try hit.decode(Product.self)
            print(product.title, product.price)
        }

        try await shop.update([
            DocumentPatch(
                uniqueIdentifier: "apple", attributes: ["price": .set(0.6), "tags": .remove])
        ])
        try await shop.delete(identifiers: ["apple"])
        try await shop.delete(matching: .attribute("soldOut") < .today(-30))
        // end
    }
}
