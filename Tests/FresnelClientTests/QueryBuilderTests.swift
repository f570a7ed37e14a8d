import FresnelClient
import FresnelModel
import FresnelQuery
import Testing

@Suite("Query builder")
struct QueryBuilderTests {
    @Test(
        "A built query prints as the language writes it",
        arguments: [
            (
                Query.attribute("title").matches(.word("apple"), .caseInsensitive),
                #"title == "apple"cw"#
            ),
            (Query.attribute("title").contains("50%"), #"title == "*50%*""#),
            (Query.attribute("title").prefix("a*b?"), #"title == "a\*b\?*""#),
            (Query.attribute("title").suffix("\"\\"), #"title == "*\"\\""#),
            (Query.attribute("kMDItemTitle").exactly("x"), #"title == "x""#),
            (Query.attribute("textContent").exactly("x"), #"textContent == "x"w"#),
            (Query.attribute("rating").exists, #"rating == "*""#),
            (!Query.attribute("rating").exists, #"rating != "*""#),
            (Query.attribute("rating") >= 4, "rating >= 4"),
            (Query.attribute("rating").inRange(1, 2.5), "InRange(rating, 1, 2.5)"),
            (Query.attribute("dueDate") == .today(), "dueDate == $time.today"),
            (Query.attribute("dueDate") < .thisWeek(-1), "dueDate < $time.this_week(-1)"),
            (Query.anything.word("é", .folded), #"** == "é"cdw"#),
            (.everything("fuji app"), #"** == "fuji"cdw && ** == "app*"cdw"#),
            (.everything(""), #"** == "*""#),
            (.all, "true"), (.none, "false"),
        ] as [(Query, String)])
    func spelling(query: Query, text: String) {
        #expect(query.queryString == text)
    }

    @Test("Conditions combine with the precedence of the operators of Swift")
    func combining() {
        let query: Query =
            .attribute("title").exactly("a") && .attribute("rating") > 3
            || !(.attribute("rating") < 1 && .attribute("title").exists)
        #expect(
            query.queryString
                == #"title == "a" && rating > 3 || !(rating < 1 && title == "*")"#)
    }

    @Test("Whatever text is put in comes out of the parser as that text", arguments: 0..<400)
    func anyTextIsLiteral(seed: Int) throws {
        var generator = SeededText(seed: UInt64(seed))
        let text = generator.text()
        let matches: [TextMatch] = [
            .exactly(text), .prefix(text), .suffix(text), .contains(text), .word(text),
            .wordPrefix(text),
        ]
        for (position, match) in matches.enumerated() {
            let query = Query.attribute("com_test_text").matches(match, .folded)
            let parsed = try QueryParser.parse(query.queryString)
            #expect(parsed.expression == query.expression, "seed \(seed), match \(position)")
            guard case .comparison(let comparison) = parsed.expression,
                case .matches(let pattern) = comparison.relation
            else {
                // Nothing but a star is left of an empty text.
                #expect(text.isEmpty, "seed \(seed): \(query)")
                continue
            }
            let literals = pattern.pieces.filter { $0 != .anyRun }
            #expect(literals == (text.isEmpty ? [] : [.literal(text)]), "seed \(seed)")
        }
    }

    @Test("What a person types means the same as the typed pattern with cdwt", arguments: 0..<400)
    func everythingIsThePattern(seed: Int) throws {
        var generator = SeededText(seed: UInt64(seed) + 10_000)
        let text = generator.text(upTo: 24)
        let query = Query.everything(text)
        let written = "** == \"\(QueryText.escaped(text))*\"cdwt"
        #expect(
            try QueryParser.parse(query.queryString).expression == query.expression,
            "seed \(seed)")
        #expect(try QueryParser.parse(written).expression == query.expression, "seed \(seed)")
    }

    @Test(
        "Numbers that are not finite never break a query",
        arguments: [Double.nan, .infinity, -.infinity, -0.0, .greatestFiniteMagnitude])
    func oddNumbers(number: Double) throws {
        for query in [
            Query.attribute("rating") == number, Query.attribute("rating") < number,
            Query.attribute("rating").inRange(number, 1),
        ] {
            #expect(try QueryParser.parse(query.queryString).expression == query.expression)
        }
    }

    @Test(
        "A name from outside that could be syntax is refused",
        arguments: ["", "title == 1 ||", "1a", "a..b", ".a", "a.", "ä", "a b"])
    func names(text: String) {
        #expect(throws: SearchError.self) { try AttributeName(validating: text) }
    }

    @Test("Every time builds a query that parses to itself")
    func times() throws {
        let times: [QueryTime] = [
            .now(), .now(-90), .today(3), .yesterday, .thisWeek(), .thisMonth(2), .thisYear(-1),
            .today(.max), .now(.min), QueryTime(Timestamp(wholeSeconds: -5)),
        ]
        for time in times {
            let query =
                Query.attribute("dueDate") == time || .attribute("dueDate").inRange(time, time)
            #expect(try QueryParser.parse(query.queryString).expression == query.expression)
        }
    }
}
