import FresnelQuery
import Testing

@Suite("Canonical spelling")
struct CanonicalTests {
    @Test(
        "A query has one canonical spelling",
        arguments: [
            ("title='x'dc", #"title == "x"cd"#),
            ("kMDItemTitle ==[w] x c", #"title == "x"cw"#),
            (#"url == "x""#, #"URL == "x""#),
            (#"textContent == "x"c"#, #"textContent == "x"cw"#),
            (#"title == "a b*"cdwt"#, #"title == "a"cdw && title == "b*"cdw"#),
            (#"title != "a b"t"#, #"!(title == "a"w && title == "b"w)"#),
            (#"title == "*"cdwt"#, #"title == "*""#),
            (#"title == "a**b""#, #"title == "a*b""#),
            (#"title == 'a"b\'c\*'"#, #"title == "a\"b'c\*""#),
            (#"!(title == "x")"#, #"title != "x""#),
            (#"!(* == "x")"#, #"!(* == "x")"#),
            (#"!(title != "x")"#, #"!(title != "x")"#),
            ("rating == +05.0 cd", "rating == 5"),
            (
                "rating == 1e3 && (allDay != true && (rating < 2))",
                "rating == 1000 && allDay != 1 && rating < 2"
            ),
            (
                "(rating==1||rating==2)&&rating==3||rating==4",
                "(rating == 1 || rating == 2) && rating == 3 || rating == 4"
            ),
            ("inRange( rating ,1,2.50)", "InRange(rating, 1, 2.5)"),
            ("dueDate == $time.last_week", "dueDate == $time.this_week(-1)"),
            ("dueDate == $time.today(+1d)", "dueDate == $time.today(1)"),
            ("dueDate == $time.today(-1w)", "dueDate == $time.today(-1w)"),
            ("dueDate == $time.today(0w)", "dueDate == $time.today(0w)"),
            ("dueDate == $time.now()", "dueDate == $time.now"),
            (#"dueDate == $time.iso( "2026-11-20" )"#, "dueDate == $time.iso(2026-11-20)"),
            ("true && (false || !true)", "true && (false || !true)"),
        ])
    func canonical(query: String, canonical: String) throws {
        #expect("\(try QueryParser.parse(query).expression)" == canonical)
        #expect("\(try QueryParser.parse(canonical).expression)" == canonical)
    }
}
