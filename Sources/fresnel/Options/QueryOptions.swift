import ArgumentParser
import Foundation
import FresnelModel

/// What says how a query is to be read and answered, beside the query itself.
struct QueryOptions: ParsableArguments {
    @Option(
        name: .customLong("index"),
        help: ArgumentHelp(
            "Search this index only; may be given several times (default: all).", valueName: "name")
    )
    var indexes: [String] = []

    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "A query that hits must satisfy too; it does not score. May be given several times.",
            valueName: "query"))
    var filters: [String] = []

    @Option(
        name: .customLong("facet"),
        help: ArgumentHelp(
            "Count the hits by these attributes' values, n of each. May be given several times.",
            valueName: "a,b:n"))
    var facets: [String] = []

    @Option(
        help: ArgumentHelp(
            "How long the answer is worth waiting for: 500ms, 10s; at most 1h (default: 10s).",
            valueName: "duration"))
    var deadline: String?

    @Option(
        help: ArgumentHelp(
            "Shards that must answer: all, any, or a fraction such as 0.9.",
            valueName: "coverage"))
    var require: String?

    @Option(help: ArgumentHelp("The instant of $time.now, in ISO 8601.", valueName: "iso"))
    var now: String?

    @Option(
        help: ArgumentHelp(
            "Zone of days and weeks, such as Europe/Berlin (default: UTC).",
            valueName: "zone"))
    var timeZone: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("First day of the week, 1 Monday to 7 Sunday.", valueName: "day"))
    var firstWeekday: Int?

    @Option(
        help: ArgumentHelp(
            "Language whose letters folding keeps apart, such as sv.",
            valueName: "tag"))
    var language: String?

    @Flag(help: "Treat unknown attributes and languages as errors.")
    var strict = false

    /// The request for a query with these options.
    func request(_ query: String) throws -> SearchRequest {
        var request = SearchRequest(query)
        request.indexes = try indexes.map { name throws(SearchError) in try IndexName(name) }
        request.filters = filters
        for text in facets { request.facets += try FacetRequest.list(parsing: text) }
        request.timeZone = try checkedTimeZone()
        request.firstWeekday = firstWeekday
        guard (1...7).contains(firstWeekday ?? 1) else {
            throw CommandError.usage(
                "--first-weekday must be a number from 1, Monday, to 7, Sunday, not "
                    + "\(firstWeekday ?? 0)")
        }
        request.language = language
        request.isStrict = strict
        if let deadline {
            request.deadline = try DurationText.parse(deadline, flag: "--deadline")
        }
        if let require { request.coverage = try SearchCoverage(parsing: require) }
        if let now {
            guard let instant = Timestamp(iso8601: now) else {
                throw CommandError.usage(
                    "--now must be a date such as 2026-11-20T15:30:00Z, not \"\(now)\"")
            }
            request.now = instant
        }
        return request
    }

    private func checkedTimeZone() throws(CommandError) -> String? {
        guard let timeZone else { return nil }
        guard TimeZone(identifier: timeZone) != nil else {
            throw .usage(
                "--time-zone must be the name of a zone such as UTC or Europe/Berlin, not "
                    + "\"\(timeZone)\"")
        }
        return timeZone
    }
}
