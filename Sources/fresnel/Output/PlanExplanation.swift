import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelQuery

/// What a query looks for: its canonical form, and how many documents each part matches.
struct PlanExplanation {
    let client: SearchClient
    let request: SearchRequest
    let isJSON: Bool

    /// One part of the query with what it matches by itself.
    private struct Part {
        let query: String
        let scores: Bool
        let completion: Completion
    }

    func run() async throws -> ExitStatus {
        let expression: Expression
        do throws(QueryError) {
            expression = try QueryParser.parse(
                request.query, options: ParseOptions(strict: request.isStrict)
            ).expression
        } catch {
            throw QueryComplaint(error, in: request.query)
        }
        var parts: [Part] = []
        for (comparison, scores) in expression.comparisons(isNegated: false) {
            parts.append(
                Part(
                    query: comparison.description, scores: scores,
                    completion: try await count(comparison.description)))
        }
        let whole = try await count(request.query)
        show(expression, parts, whole)
        return parts.map { ExitStatus($0.completion) }.reduce(ExitStatus(whole)) { $0.worse($1) }
    }

    private func count(_ query: String) async throws -> Completion {
        var counting = request
        counting.query = query
        counting.isCountOnly = true
        counting.delivery = .found
        do throws(SearchError) {
            return try await client.search(counting).completion()
        } catch {
            throw QueryComplaint.about(error, in: [query] + request.filters)
        }
    }

    private func show(_ expression: Expression, _ parts: [Part], _ whole: Completion) {
        guard !isJSON else {
            var object = JSONObject()
            object["canonical"] = .string(expression.description)
            object["found"] = .integer(Int64(clamping: whole.found))
            object["searched"] = .integer(Int64(clamping: whole.searched))
            object["parts"] = .array(
                parts.map { part in
                    [
                        "query": .string(part.query), "scores": .bool(part.scores),
                        "found": .integer(Int64(clamping: part.completion.found)),
                    ]
                })
            object["completion"] = whole.json
            return Streams.say(JSONValue.object(object).serialized())
        }
        Streams.say(expression.description)
        let documents = ValueText.count(whole.searched, "document")
        Streams.say("matches \(whole.found) of \(documents); by itself")
        for part in parts {
            let role = part.scores ? "it scores" : "it does not score"
            Streams.say("  \(part.query) matches \(part.completion.found); \(role)")
        }
    }
}

extension Expression {
    /// The predicates in query order, with whether they score: texts under no negation.
    fileprivate func comparisons(isNegated: Bool) -> [(comparison: Comparison, scores: Bool)] {
        switch self {
        case .constant: []
        case .and(let parts), .or(let parts):
            parts.flatMap { $0.comparisons(isNegated: isNegated) }
        case .not(let part): part.comparisons(isNegated: true)
        case .comparison(let comparison):
            [(comparison, !isNegated && comparison.isOfText)]
        }
    }
}

extension Comparison {
    /// Whether it compares texts, which is what scores.
    fileprivate var isOfText: Bool {
        switch relation {
        case .matches: true
        case .exists, .number, .time, .range: false
        }
    }
}
