import FresnelIndex
import FresnelModel
import FresnelWire
import Testing

@Suite("Searches by identifier")
struct IdentifierPlanTests {
    @Test("Identifiers are distinct by their bytes, and ascending")
    func distinct() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        var search = WireSearch()
        search.identifiers = [composed, "b", decomposed, composed, "b"]
        let plan = try SearchPlan(search: search, schema: AttributeSchema())
        guard case .identifiers(let identifiers) = plan.goal else {
            Issue.record("the plan looks for \(plan.goal)")
            return
        }
        #expect(identifiers == ["b", decomposed, composed].map { Array($0.utf8) })
    }
}
