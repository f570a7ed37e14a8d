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

    @OptionGroup var output: FormatOptions

    @Flag(help: "Treat unknown attributes as errors.")
    var strict = false

    func run() throws {
        do throws(QueryError) {
            show(try QueryParser.parse(query, options: ParseOptions(strict: strict)))
        } catch {
            if output.isJSON { Streams.say(QueryDescription.json(of: error).serialized()) }
            throw QueryComplaint(error, in: query)
        }
    }

    private func show(_ parsed: ParsedQuery) {
        guard !output.isJSON else {
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
