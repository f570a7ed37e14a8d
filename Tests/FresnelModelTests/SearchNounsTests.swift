import FresnelModel
import Testing

struct SearchNounsTests {
    @Test("A list of sort keys reads as written and prints the same")
    func sortKeys() throws {
        let keys = try SortKey.list(parsing: "title,-rating, relevance,+relevance,kMDItemSubject")
        #expect(
            keys == [
                SortKey(.attribute("title"), isAscending: true),
                SortKey(.attribute("rating"), isAscending: false), .relevance,
                SortKey(.relevance, isAscending: true),
                SortKey(.attribute("subject"), isAscending: true),
            ])
        let printed = keys.map(\.description).joined(separator: ",")
        #expect(try SortKey.list(parsing: printed) == keys)
        #expect(try SortKey.list(parsing: " ").isEmpty)
    }

    @Test(
        "A sort key without a name is refused", arguments: ["-", ",", "title,", "a b", "--x", "1"])
    func brokenSortKeys(text: String) {
        #expect(throws: SearchError.self) { try SortKey.list(parsing: text) }
    }

    @Test(
        "An index name is also a safe folder name",
        arguments: [
            ("default", true), ("shop-2.b_c", true), ("", false), ("..", false), (".x", false),
            ("a/b", false), ("A", false), ("-a", false), (String(repeating: "a", count: 64), true),
            (String(repeating: "a", count: 65), false), ("ä", false),
        ])
    func indexNames(text: String, isValid: Bool) {
        #expect(IndexName.isValid(text) == isValid)
        let name = try? IndexName(text)  // nil: the text is refused
        #expect((name != nil) == isValid)
        #expect(IndexName.isValid(IndexName.standard.text))
    }

    @Test(
        "A client state has at most 250 bytes", arguments: [(0, true), (250, true), (251, false)])
    func clientState(count: Int, isAccepted: Bool) {
        let bytes = [UInt8](repeating: 7, count: count)
        do throws(SearchError) {
            let state = try ClientState(bytes)
            #expect(isAccepted && state.bytes == bytes)
        } catch {
            #expect(!isAccepted && error.code.rawValue == -1002)
        }
    }

    @Test("A request is checked before it is sent")
    func requests() throws {
        let good = SearchRequest("title == \"Apple\"")
        try good.validate()
        try SearchRequest(identifiers: ["1"]).validate()
        let changes: [(inout SearchRequest) -> Void] = [
            { $0.query = "" }, { $0.identifiers = ["1"] }, { $0.limit = -1 }, { $0.credit = -1 },
            { $0.limit = 0 }, { $0.limit = .max }, { $0.credit = 0 }, { $0.credit = .max },
            { $0.deadline = .zero }, { $0.deadline = .seconds(3601) }, { $0.firstWeekday = 8 },
            { $0.coverage = .fraction(1.5) }, { $0.coverage = .fraction(.nan) },
            { $0.filters = Array(repeating: "true", count: 17) },
            { $0.sort = Array(repeating: .relevance, count: 9) },
            { $0.query = String(repeating: "x", count: Limits.queryBytes + 1) },
            { $0.slot = String(repeating: "x", count: 65) },
        ]
        for (position, change) in changes.enumerated() {
            var request = good
            change(&request)
            #expect(throws: SearchError.self, "change \(position)") { try request.validate() }
        }
    }

    @Test("A deadline that is too long is told with the limit")
    func deadline() {
        var request = SearchRequest("title == \"Apple\"")
        request.deadline = .seconds(99_999_999 * 86_400)
        let error = #expect(throws: SearchError.self) { try request.validate() }
        #expect(error?.message.contains("8639999913600 seconds") == true)
        #expect(error?.message.contains("at most 3600") == true)
    }

    @Test("Q-28, Q-40: More of anything than a request may have is 410, as from the cluster")
    func tooMuch() {
        let changes: [(inout SearchRequest) -> Void] = [
            { $0.facets = (0..<17).map { FacetRequest("a\($0)") } },
            { $0.facets = [FacetRequest("a", limit: 1001)] },
            { $0.filters = Array(repeating: "true", count: 17) },
            { $0.attributes = Array(repeating: "title", count: 65) },
            { $0.sort = Array(repeating: .relevance, count: 9) },
            { $0.slot = String(repeating: "x", count: 65) },
            { $0.credit = Limits.creditItems + 1 }, { $0.limit = Limits.hits + 1 },
            {
                $0.query = ""
                $0.identifiers = Array(repeating: "a", count: 1001)
            },
        ]
        for (position, change) in changes.enumerated() {
            var request = SearchRequest("title == \"Apple\"")
            change(&request)
            let error = #expect(throws: SearchError.self, "change \(position)") {
                try request.validate()
            }
            #expect(error?.code.rawValue == 410, "change \(position)")
            #expect(error?.message.contains("at most") == true)
        }
    }

    @Test(
        "Coverage reads as all, any or a fraction, and nothing else",
        arguments: [
            ("all", .all), ("any", .any), ("0.9", .fraction(0.9)), ("1", .all), ("0", .any),
            ("1.1", nil), ("-1", nil), ("nan", nil), ("most", nil),
        ] as [(String, SearchCoverage?)])
    func coverage(text: String, expected: SearchCoverage?) {
        do throws(SearchError) {
            #expect(try SearchCoverage(parsing: text) == expected)
        } catch {
            #expect(expected == nil)
        }
    }

    @Test("Every code has its own number and name, and only some are retriable")
    func codes() {
        let codes = SearchError.Code.allNames
        #expect(Set(codes.map(\.code)).count == codes.count)
        #expect(Set(codes.map(\.name)).count == codes.count)
        #expect(SearchError(.busy, "x").isRetriable)
        #expect(!SearchError(.invalidQuery, "x").isRetriable)
        #expect(SearchError.Code(rawValue: 12345).description == "code 12345")
    }

    @Test("An error says message, position and advice")
    func errorText() {
        let error = SearchError(.invalidQuery, "unknown modifier z", offset: 16).hinting("use c")
        #expect("\(error)" == "unknown modifier z at byte 16; use c (invalidQuery, -2002)")
    }

    @Test("Published limits have distinct names and the values that are enforced")
    func limits() {
        let names = Limits.published.map(\.name)
        #expect(Set(names).count == names.count)
        let values = Dictionary(
            uniqueKeysWithValues: Limits.published.map { ($0.name, $0.value) })
        #expect(values["clientState"] == 250)
        #expect(values["query"] == Limits.queryBytes)
        #expect(Limits.documentBytes < Limits.payloadBytes)
        #expect(Limits.batchBytes < Limits.payloadBytes)
    }
}
