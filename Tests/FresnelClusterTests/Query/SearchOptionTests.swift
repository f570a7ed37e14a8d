import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@testable import FresnelCluster

/// Options that are wrong, or odd, as they come from any client.
@Suite("Options of a search on the wire")
struct SearchOptionTests {
    /// The plan's warnings, or the code it is refused with.
    private func plan(_ search: WireSearch) -> (warnings: [String], refused: Int32?) {
        do throws(PlanRefusal) {
            let plan = try QueryPlan(
                search, shards: part(of: "a", shards: [0]), schema: AttributeSchema(),
                at: moment())
            return (plan.warnings.map(\.message), nil)
        } catch {
            return ([], WireFailure(error).code)
        }
    }

    @Test("No hits at all are refused: a limit of 0, and credit of 0 or beyond what may be held")
    func numbers() {
        #expect(plan(search(limit: 0)).refused == 410)
        #expect(plan(search(limit: .max)).refused == nil)
        #expect(plan(search(credit: 0)).refused == 410)
        #expect(plan(search(credit: UInt64(Limits.creditItems))).refused == nil)
        #expect(plan(search(credit: UInt64(Limits.creditItems) + 1)).refused == 410)
        #expect(plan(search(credit: .max)).refused == 410)
        var count = search(credit: 0)
        count.countOnly = true
        #expect(plan(count).refused == nil)
    }

    @Test("Q-28: Credit of no bytes and an unknown delivery are refused by name; none is settled")
    func unknownDelivery() throws {
        var odd = search()
        odd.creditBytes = 0
        #expect(plan(odd).refused == 410)
        odd.countOnly = true
        #expect(plan(odd).refused == nil)
        for number in [4, 99, -1] {
            odd = search()
            odd.delivery = .UNRECOGNIZED(number)
            #expect(plan(odd).refused == 410)
            do throws(PlanRefusal) {
                _ = try QueryPlan(
                    odd, shards: [], schema: AttributeSchema(), at: moment())
            } catch {
                #expect("\(error)".hasPrefix("delivery is \(number)"))
            }
        }
        var harness = try StreamHarness(search(delivery: .unspecified))
        harness.find(["z"], part: 0)
        harness.find(["a"], part: 1)
        harness.finishAll()
        #expect(try harness.delivered == ["a", "z"])
    }

    @Test("Q-28, Q-40: More of anything than a request may have is 410, as at the client")
    func tooMuch() {
        var facet = WireFacetRequest()
        facet.attribute = "keywords"
        for field in ["facets", "values", "filters", "attributes", "sort", "slot", "identifiers"] {
            var much = search()
            switch field {
            case "facets": much.facets = Array(repeating: facet, count: 17)
            case "values":
                facet.limit = 1001
                much.facets = [facet]
                facet.limit = 0
            case "filters": much.filters = Array(repeating: "rating > 1", count: 17)
            case "attributes": much.attributes = Array(repeating: "title", count: 65)
            case "sort": much.sort = Array(repeating: much.sort[0], count: 9)
            case "slot": much.slot = String(repeating: "x", count: 65)
            default: much.identifiers = Array(repeating: "a", count: 1001)
            }
            #expect(plan(much).refused == 410, "\(field)")
        }
    }

    @Test("Q-6: Sort keys of delivery found order nothing, and are checked all the same")
    func unordered() throws {
        var harness = try StreamHarness(search(delivery: .found))
        harness.find(["z"], part: 0)
        harness.find(["a"], part: 1)
        #expect(try harness.delivered == ["z", "a"])
        var odd = search(delivery: .found)
        odd.sort[0].attribute = "ratin"
        #expect(plan(odd).warnings.count == 1)
        odd.strict = true
        #expect(plan(odd).refused == 410)
    }

    @Test("Q-28: A name that no document can have is told of, and refused in a strict search")
    func names() {
        var key = WireSortKey()
        key.attribute = "ratin"
        var facet = WireFacetRequest()
        facet.attribute = "nosuch"
        for (field, word) in [("sort", "'ratin'"), ("fetch", "'titel'"), ("facet", "'nosuch'")] {
            var odd = search()
            switch field {
            case "sort": odd.sort = [key, key]
            case "fetch": odd.attributes = ["titel", "rating", "kMDItemTitle"]
            default: odd.facets = [facet]
            }
            let warnings = plan(odd).warnings
            #expect(warnings.count == 1 && warnings[0].contains(word), "\(warnings)")
            odd.strict = true
            #expect(plan(odd).refused == 410)
        }
        var relevance = search("title == \"a\"")
        relevance.sort = [WireSortKey()]
        relevance.strict = true
        #expect(plan(relevance).refused == nil && plan(relevance).warnings.isEmpty)
        var all = search()
        all.attributes = ["titel"]
        all.allAttributes = true
        #expect(plan(all).warnings.isEmpty)
    }

    @Test("Q-28: A declared key is a name like any other, and a near one is proposed")
    func declared() throws {
        var schema = AttributeSchema()
        try schema.declare(CustomAttributeKey("com_shop_price", .number))
        for (name, count) in [("com_shop_price", 0), ("com_shop_prize", 1)] {
            var asked = search()
            asked.sort[0].attribute = name
            let plan = try QueryPlan(
                asked, shards: part(of: "a", shards: [0]), schema: schema, at: moment())
            #expect(plan.warnings.count == count)
            #expect(plan.warnings.allSatisfy { $0.message.contains("com_shop_price") })
            #expect(plan.warnings.allSatisfy { WireWarning($0).hasOffset == false })
        }
    }
}
