import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("What a remembered plan depends on")
struct SearchQuestionTests {
    @Test("All attributes are another question than any list of attributes")
    func allAttributes() {
        var search = WireSearch()
        search.query = "title == \"a\""
        search.attributes = ["*", "*"]
        var all = search
        all.allAttributes = true
        var whatever = all
        whatever.attributes = ["title"]
        #expect(SearchQuestion(search) != nil)
        #expect(SearchQuestion(search) != SearchQuestion(all))
        #expect(SearchQuestion(whatever) == SearchQuestion(all))
    }

    @Test("A search in another time zone is another: an unknown one is refused as it is planned")
    func timeZone() {
        var search = WireSearch()
        search.query = "title == \"a\""
        search.context.timeZone = "Europe/Berlin"
        var unknown = search
        unknown.context.timeZone = "Europe/Berln"
        #expect(SearchQuestion(search) != nil)
        #expect(SearchQuestion(search) != SearchQuestion(unknown))
    }

    @Test("A search whose hits may be front-coded is another: a plan says so")
    func frontCoded() {
        var search = WireSearch()
        search.query = "title == \"a\""
        var coded = search
        coded.frontCoded = true
        #expect(SearchQuestion(search) != SearchQuestion(coded))
    }
}
