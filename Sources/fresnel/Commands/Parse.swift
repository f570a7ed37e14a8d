import ArgumentParser
import FresnelJSON
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

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Treat unknown attributes as errors.")
    var strict = false

    func run() throws {
        do throws(QueryError) {
            show(try QueryParser.parse(query, options: ParseOptions(strict: strict)))
        } catch {
            if json { Streams.say(QueryDescription.json(of: error).serialized()) }
            throw QueryComplaint(error, in: query)
        }
    }

    private func show(_ parsed: ParsedQuery) {
        guard !json else {
            return Streams.say(QueryDescription.json(of: parsed).serialized())
        }
        Streams.say(parsed.expression.description)
        Streams.say("")
        for line in QueryDescription.tree(of: parsed.expression) { Streams.say(line) }
        for warning in parsed.warnings {
            Streams.complain("warning: \(warning.message) (at byte \(warning.offset))")
        }
    }
}
