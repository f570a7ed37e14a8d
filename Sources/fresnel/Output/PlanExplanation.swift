import FresnelClient
import FresnelIndex
import FresnelJSON
import FresnelModel
import FresnelQuery

/// What a query looks for and how the cluster answers it.
///
/// Its canonical form, how many documents each part matches and by which way, and what was done for
/// the whole: the query is run for one hit, as a search would run it.
struct PlanExplanation {
    let client: SearchClient
    let request: SearchRequest
    let isJSON: Bool

    /// One part of the query with what it matches by itself.
    private struct Part {
        let query: String
        let scores: Bool
        /// How a segment finds its documents.
        let routes: [String]
        let completion: Completion

        var matchMicroseconds: UInt64 {
            completion.shards.compactMap(\.timings.match).saturatingSum
        }
    }

    func run() async throws -> ExitStatus {
        let schema = try await schema()
        let expression: Expression
        do throws(QueryError) {
            let options = ParseOptions(schema: schema, strict: request.isStrict)
            expression = try QueryParser.parse(request.query, options: options).expression
        } catch {
            throw QueryComplaint(error, in: request.query)
        }
        // Before its parts: counting them would leave filters remembered.
        var wanted = request
        wanted.limit = 1
        // An answer that the broker tells again says what was done some other time; explained ones
        // it never keeps.
        wanted.explainsScores = true
        let whole = try await answer(wanted)
        for warning in CompletionText.warnings(whole) { Streams.complain(warning) }
        var parts: [Part] = []
        for (comparison, scores) in expression.comparisons(isNegated: false) {
            parts.append(try await part(comparison, scores, schema))
        }
        show(expression, parts, whole)
        return parts.map { ExitStatus($0.completion) }.reduce(ExitStatus(whole)) { $0.worse($1) }
    }

    /// The attributes of the indexes that are searched.
    private func schema() async throws(SearchError) -> AttributeSchema {
        let names = request.indexes.map(\.text)
        var schema = AttributeSchema()
        for index in try await client.status().indexes
        where names.isEmpty || names.contains(index.name) {
            for key in index.customKeys {
                // Of keys that disagree between indexes the first one counts, as in the broker.
                try? schema.declare(key)
            }
        }
        return schema
    }

    private func part(
        _ comparison: Comparison, _ scores: Bool, _ schema: AttributeSchema
    ) async throws -> Part {
        var context = QueryContext(now: request.now ?? Timestamp(wholeSeconds: 0))
        context.language = request.language
        var counting = request
        counting.query = comparison.description
        counting.isCountOnly = true
        counting.explainsScores = true
        counting.delivery = .found
        counting.facets = []
        let resolved = try Expression.comparison(comparison).resolved(in: context)
        return Part(
            query: comparison.description, scores: scores,
            routes: ComparisonPlan.routes(
                of: resolved, language: request.language, in: schema
            ).flatMap(\.self),
            completion: try await answer(counting))
    }

    private func answer(_ request: SearchRequest) async throws -> Completion {
        do throws(SearchError) {
            return try await client.search(request).completion()
        } catch {
            throw QueryComplaint.about(error, in: [request.query] + request.filters)
        }
    }

    private func show(_ expression: Expression, _ parts: [Part], _ whole: Completion) {
        guard !isJSON else {
            return Streams.say(JSONValue.object(Self.json(expression, parts, whole)))
        }
        Streams.say(expression.description)
        let documents = ValueText.count(whole.searched, "document")
        let filters = ValueText.count(request.filters.count, "filter")
        let filtered = request.filters.isEmpty ? "" : " behind \(filters)"
        let alone = request.filters.isEmpty ? "by itself" : "by itself, behind the same"
        Streams.say("matches \(whole.found) of \(documents)\(filtered); \(alone)")
        for part in parts {
            let role = part.scores ? "it scores" : "it does not score"
            Streams.say(
                "  \(part.query) matches \(part.completion.found) in "
                    + "\(part.matchMicroseconds) µs; \(role)")
            for route in part.routes { Streams.say("    \(route)") }
        }
        if parts.count > 1 {
            Streams.say("parts that must all hold go from cheap to dear, among what is left")
        }
        for line in ExecutionText.lines(whole, filters: request.filters.count) {
            Streams.say(line)
        }
        guard !whole.isComplete else { return }
        for line in CompletionText.verdict(whole) { Streams.complain(line) }
    }

    private static func json(
        _ expression: Expression, _ parts: [Part], _ whole: Completion
    ) -> JSONObject {
        var object = JSONObject()
        object["canonical"] = .string(expression.description)
        object["found"] = .integer(Int64(clamping: whole.found))
        object["searched"] = .integer(Int64(clamping: whole.searched))
        object["parts"] = .array(
            parts.map { part in
                [
                    "query": .string(part.query), "scores": .bool(part.scores),
                    "found": .integer(Int64(clamping: part.completion.found)),
                    "matchMicroseconds": .integer(Int64(clamping: part.matchMicroseconds)),
                    "routes": .array(part.routes.map { .string($0) }),
                ]
            })
        object["completion"] = whole.json
        return object
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
