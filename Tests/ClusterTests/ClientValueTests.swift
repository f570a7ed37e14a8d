import Foundation
import FresnelClient
import Testing

extension Clusters {
    /// Values of a program's own types, through a whole cluster and back.
    @Suite("Values of Swift types")
    struct ClientValueTests {
        struct Size: Codable, Equatable { var width: Double, height: Double? }

        struct Product: Codable, Equatable {
            var id: Int
            var title: String
            var price: Decimal
            var tags: [String]
            var isFresh: Bool
            var since: Date
            var size: Size
            var page: URL?
            var notes: [String: String]
        }

        private static let products: [Product] = (0..<40).map(product)

        private static func product(_ number: Int) -> Product {
            let tags: [String] = (0..<number % 3).map { "tag\($0)" }
            let page = number > 35 ? URL(string: "https://example.org/\(number)?a=b") : nil
            let notes: [String: String] = number == 7 ? ["de": "sauer", "fr": "aigre"] : [:]
            let height: Double? = number > 30 ? nil : 2
            return Product(
                id: number,
                title: number.isMultiple(of: 2) ? "Äpfel & Birnen" : "กิน 👍🏽 \(number)",
                price: Decimal(number) / 100, tags: tags, isFresh: number > 20,
                since: Date(timeIntervalSinceReferenceDate: 0.125 * Double(number)),
                size: Size(width: Double(number) / 3, height: height), page: page, notes: notes)
        }

        private func ask(
            _ request: SearchRequest, _ client: SearchClient
        ) async throws -> [Product] {
            var request = request
            request.returnsAllAttributes = true
            var found: [Product] = []
            for try await hit in client.search(request).hits {
                found.append(try hit.decode(Product.self))
            }
            return found
        }

        @Test("What is indexed is found by its fields and comes back equal, filtered and in order")
        func roundTrip() async throws {
            try await LiveCluster.withClient { _, client in
                let shop = try client.index(named: "shop")
                let report = try await shop.index(encoding: Self.products)
                #expect(report.refusals.isEmpty)

                var request = SearchRequest(.all)
                request.sort = [.ascending("price")]
                #expect(try await ask(request, client) == Self.products)

                request = SearchRequest(
                    .attribute("isFresh") == true, filters: [.attribute("size.width") < 10])
                request.filter(by: .attribute("tags").exactly("tag1"))
                request.sort = [.descending("since")]
                let expected: [Product] = Self.products.reversed().filter { product in
                    product.isFresh && product.size.width < 10 && product.tags.contains("tag1")
                }
                #expect(!expected.isEmpty)
                #expect(try await ask(request, client) == expected)

                let sour = SearchRequest(.attribute("notes.de").exactly("sauer"))
                #expect(try await ask(sour, client).map(\.id) == [7])

                // Without attributes a value cannot be read, and the message says what to ask for.
                for try await hit in client.search(sour).hits {
                    let error = #expect(throws: SearchError.self) { try hit.decode(Product.self) }
                    #expect(error?.message.contains("returnsAllAttributes") == true)
                }
            }
        }

        @Test("A value that cannot be a document changes nothing")
        func refused() async throws {
            struct Price: Codable { var id: String, price: Double }
            try await LiveCluster.withClient { _, client in
                let shop = try client.index(named: "shop")
                let prices = [Price(id: "a", price: 1), Price(id: "b", price: .nan)]
                await #expect(throws: SearchError.self) { try await shop.index(encoding: prices) }
                #expect(try await client.indexes().isEmpty)
            }
        }
    }
}
