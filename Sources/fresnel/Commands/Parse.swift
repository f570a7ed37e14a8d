import ArgumentParser
import FresnelJSON
import FresnelModel
import FresnelQuery

/// `fresnel parse`.
struct Parse: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how a query is understood; needs no cluster.",
        discussion: """
            Prints the canonical form, the tree and what is odd; exit code 2 when it is invalid.

              fresnel parse "title = 'app*' cd && !(keywords == 'dessert')"
            """)

    @Argument(help: "The query string.")
    var query: String

    @Option(
        help: ArgumentHelp("Attributes to return, to be checked as well.", valueName: "a,b"))
    var attributes: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The order, to be checked as well.", valueName: "title,-rating"))
    var sort: String?

    @Option(help: ArgumentHelp("The language, to be checked as well.", valueName: "tag"))
    var language: String?

    @OptionGroup var output: FormatOptions

    @Flag(help: "Treat unknown attributes and languages as errors.")
    var strict = false

    func run() throws {
        let oddities = try oddities()
        if strict, let odd = oddities.first {
            let error = SearchError(.invalidArgument, odd.message)
            if output.isJSON { Streams.say(QueryDescription.json(of: error)) }
            throw error
        }
        do throws(QueryError) {
            show(try QueryParser.parse(query, options: ParseOptions(strict: strict)), oddities)
        } catch {
            if output.isJSON { Streams.say(QueryDescription.json(of: error)) }
            throw QueryComplaint(error, in: query)
        }
    }

    /// What is odd beside the query string; keys that an index declares are unknown here.
    private func oddities() throws -> [Warning] {
        var request = SearchRequest(query)
        let names = try AttributeNames.parse(attributes ?? "")
        if names != ["*"] { request.attributes = names }
        request.sort = try SortKey.list(parsing: sort ?? "")
        request.language = language
        return RequestOddities.warnings(about: request)
    }

    private func show(_ parsed: ParsedQuery, _ oddities: [Warning]) {
        guard !output.isJSON else {
            let json = QueryDescription.json(of: parsed, oddities)
            return Streams.say(json)
        }
        Streams.say(parsed.expression.description)
        Streams.say("")
        for line in QueryDescription.tree(of: parsed.expression) { Streams.say(line) }
        for warning in parsed.warnings {
            let place = warning.offset.map { " (at byte \($0))" } ?? ""
            Streams.complain("warning: \(warning.message)\(place)")
        }
        for warning in oddities { Streams.complain("warning: \(warning.message)") }
    }
}
