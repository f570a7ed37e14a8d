import FresnelModel
import FresnelQuery
import Testing

@Suite("Time")
struct TimeTests {
    /// A `$time` form and the instants it lies between, as ISO texts; an instant has one.
    struct Case: CustomTestStringConvertible {
        let form: String
        let start: String
        let end: String?

        init(_ form: String, _ start: String, _ end: String? = nil) {
            self.form = form
            self.start = start
            self.end = end
        }

        var testDescription: String { form }
    }

    /// Now is Friday 2026-11-20T15:30Z.
    static let cases = [
        Case("now", "2026-11-20T15:30:00Z"),
        Case("now()", "2026-11-20T15:30:00Z"),
        Case("now(-86400)", "2026-11-19T15:30:00Z"),
        Case("now(+90s)", "2026-11-20T15:31:30Z"),
        Case("now(-1m)", "2026-11-20T15:29:00Z"),
        Case("now(-1h)", "2026-11-20T14:30:00Z"),
        Case("now(-1d)", "2026-11-19T15:30:00Z"),
        Case("now(-1M)", "2026-10-20T15:30:00Z"),
        Case("now(1y)", "2027-11-20T15:30:00Z"),
        Case("today", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"),
        Case("today( -10 )", "2026-11-10T00:00:00Z", "2026-11-11T00:00:00Z"),
        Case("today(-3d)", "2026-11-17T00:00:00Z", "2026-11-18T00:00:00Z"),
        Case("today(-1w)", "2026-11-13T00:00:00Z", "2026-11-14T00:00:00Z"),
        Case("today(+1d)", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        Case("today(+6h)", "2026-11-20T06:00:00Z", "2026-11-21T06:00:00Z"),
        Case("yesterday", "2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z"),
        Case("yesterday(-1)", "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z"),
        Case("tomorrow", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        Case("this_week", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"),
        Case("this_week(-1)", "2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z"),
        Case("last_week", "2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z"),
        Case("next_week", "2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"),
        Case("this_month", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"),
        Case("this_month(-11)", "2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        Case("this_month(3)", "2027-02-01T00:00:00Z", "2027-03-01T00:00:00Z"),
        Case("next_month", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        Case("this_year", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        Case("this_year(-26)", "2000-01-01T00:00:00Z", "2001-01-01T00:00:00Z"),
        Case("next_year", "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"),
        Case("iso(2026-11-15)", "2026-11-15T00:00:00Z", "2026-11-16T00:00:00Z"),
        Case("iso( 2026-11-15 )", "2026-11-15T00:00:00Z", "2026-11-16T00:00:00Z"),
        Case("iso(2028-02-29)", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"),
        Case("iso(2026-11-15T12:00:00Z)", "2026-11-15T12:00:00Z"),
        Case("iso(2026-11-15T12:00:00+02:00)", "2026-11-15T10:00:00Z"),
        Case("iso(2026-11-15T12:00-0330)", "2026-11-15T15:30:00Z"),
        Case("iso(\"2026-11-15T12:00:00\")", "2026-11-15T12:00:00Z"),
        Case("iso('2026-11-15 12:00')", "2026-11-15T12:00:00Z"),
    ]

    @Test("A text is fixed only if it means the same at another time and place", arguments: cases)
    func fixed(_ form: Case) throws {
        var elsewhere = WorkedExamples.context
        elsewhere.now = WorkedExamples.date("2028-02-03T04:05:06Z")
        elsewhere.timeZone = "Asia/Tokyo"
        let text = "title == \"a\" || dueDate == $time.\(form.form)"
        let query = try QueryParser.parse(text).expression
        let isSame =
            try query.resolved(in: WorkedExamples.context) == query.resolved(in: elsewhere)
        #expect(QueryTimes.areFixed(in: text) == isSame)
    }

    @Test("What only begins like an instant is not fixed")
    func notFixed() {
        #expect(QueryTimes.areFixed(in: "title == \"Müller\""))
        for text in [
            "$", "a > $time.iso", "a > $time.iso(", "a > $time.iso()", "a > $time.iso(2026-11-20Z)",
            "a > $time.iso(2026-11-20T15:30:00Z", "a > $time.ISO(2026-11-20T15:30:00Z)",
            "a > $time.iso(2026-11-20T15:30:00Z) && b < $time.now",
        ] {
            #expect(!QueryTimes.areFixed(in: text), "\(text)")
        }
    }

    @Test("A form is its instant in orderings and its span under ==", arguments: cases)
    func form(_ form: Case) throws {
        let start = WorkedExamples.date(form.start).seconds
        let end = form.end.map { WorkedExamples.date($0).seconds }
        let context = WorkedExamples.context
        #expect(try interval("dueDate >= $time.\(form.form)", context).lower == start)
        let span = try interval("dueDate == $time.\(form.form)", context)
        #expect(span.lower == start)
        #expect(span.upper == end ?? start)
        #expect(span.includesLower && span.includesUpper == (end == nil))
    }

    @Test(
        "A week begins on the first weekday of the context",
        arguments: [(1, "16"), (2, "17"), (5, "20"), (6, "14"), (7, "15")])
    func week(firstWeekday: Int, day: String) throws {
        var context = WorkedExamples.context
        context.firstWeekday = firstWeekday
        let week = try interval("dueDate == $time.this_week", context)
        #expect(week.lower == WorkedExamples.date("2026-11-\(day)T00:00:00Z").seconds)
        #expect(week.upper - week.lower == 7 * 86_400)
    }

    @Test(
        "A day lasts from midnight to midnight, also when the clocks change",
        arguments: [
            ("Europe/Berlin", "2026-03-29T10:00:00Z", "2026-03-28T23:00:00Z", 23),
            ("Europe/Berlin", "2026-10-25T10:00:00Z", "2026-10-24T22:00:00Z", 25),
            ("America/New_York", "2026-11-20T04:00:00Z", "2026-11-19T05:00:00Z", 24),
            ("Asia/Kathmandu", "2026-11-20T18:15:00Z", "2026-11-20T18:15:00Z", 24),
            // At 1:00 the clocks go back to 0:00, so midnight comes twice; the first one counts.
            ("America/Havana", "2026-11-01T12:00:00Z", "2026-11-01T04:00:00Z", 25),
            // At midnight the clocks went from 0:00 to 1:00.
            ("America/Sao_Paulo", "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z", 23),
        ])
    func daylightSaving(zone: String, now: String, midnight: String, hours: Int) throws {
        let context = QueryContext(now: WorkedExamples.date(now), timeZone: zone)
        let day = try interval("dueDate == $time.today", context)
        #expect(day.lower == WorkedExamples.date(midnight).seconds)
        #expect(day.upper - day.lower == Double(hours) * 3600)
    }

    @Test("A calendar day back keeps the time on the clock, twenty-four hours do not")
    func clockTime() throws {
        let context = QueryContext(
            now: WorkedExamples.date("2026-03-29T10:00:00Z"), timeZone: "Europe/Berlin")
        let day = try interval("dueDate == $time.now(-1d)", context)
        let hours = try interval("dueDate == $time.now(-24h)", context)
        #expect(day.lower == WorkedExamples.date("2026-03-28T11:00:00Z").seconds)
        #expect(hours.lower == WorkedExamples.date("2026-03-28T10:00:00Z").seconds)
    }

    @Test("An ISO date without a zone lies in the zone of the context")
    func isoZone() throws {
        let context = QueryContext(
            now: WorkedExamples.context.now, timeZone: "Australia/Sydney")
        let instant = try interval("dueDate == $time.iso(2026-11-20T11:00)", context)
        #expect(instant.lower == WorkedExamples.date("2026-11-20T00:00:00Z").seconds)
        let day = try interval("dueDate == $time.iso(2026-11-20)", context)
        #expect(day.lower == WorkedExamples.date("2026-11-19T13:00:00Z").seconds)
    }

    @Test("An unknown zone or weekday is refused, also without a date in the query")
    func invalidContext() throws {
        let expression = try QueryParser.parse("rating == 5").expression
        let now = WorkedExamples.context.now
        for context in [
            QueryContext(now: now, timeZone: "Europe/Atlantis"),
            QueryContext(now: now, firstWeekday: 0), QueryContext(now: now, firstWeekday: 8),
        ] {
            #expect(throws: QueryError.self) { try expression.resolved(in: context) }
        }
    }

    @Test(
        "A date outside the calendar is refused with the place of its comparison",
        arguments: ["today(-9999999)", "this_year(99999)", "this_month(-999999999999)"])
    func outside(form: String) throws {
        let query = "rating == 5 && dueDate > $time.\(form)"
        let expression = try QueryParser.parse(query).expression
        let error = #expect(throws: QueryError.self) {
            try expression.resolved(in: WorkedExamples.context)
        }
        #expect(error?.offset == 15)
    }

    private func interval(_ query: String, _ context: QueryContext) throws -> NumericInterval {
        let resolved = try QueryParser.parse(query).expression.resolved(in: context)
        guard case .comparison(let comparison) = resolved,
            case .numeric(let interval, domain: .dates) = comparison.test
        else { throw NotAnInterval() }
        return interval
    }

    private struct NotAnInterval: Error {}
}
