import FresnelClient
package import FresnelModel
import FresnelQuery
import FresnelSystem

/// Looks at some answers of a run with the reference matcher: every hit has to match its query.
///
/// The documents are fetched after the answer has been measured, by requests that are not measured.
package struct AnswerChecker: Sendable {
    private let schema: AttributeSchema
    private let context: QueryContext
    private let share: Double

    /// - Parameters:
    ///   - schema: Of the indexes that are asked.
    ///   - now: The clock of dates in queries.
    ///   - share: The part of answers (0...1) that is looked at.
    package init(schema: AttributeSchema, now: Timestamp, share: Double) {
        self.schema = schema
        self.share = share
        context = QueryContext(now: now)
    }

    /// Whether this answer is looked at.
    func isDue(_ draws: inout SeededGenerator) -> Bool {
        draws.uniform() < share
    }

    /// What is wrong with an answer; nil if every hit that still exists matches.
    func complaint(
        about hits: [Hit], _ query: String, _ client: SearchClient
    ) async -> String? {
        guard !hits.isEmpty else { return nil }
        let documents: [Document]
        do throws(SearchError) {
            documents = try await client.fetch(
                hits.map(\.uniqueIdentifier), indexes: Array(Set(hits.map(\.index)))
            ).documents
        } catch {
            return nil  // The cluster is too busy for this, which says nothing about the answer.
        }
        do throws(QueryError) {
            let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
            let matcher = ReferenceMatcher(
                expression: try parsed.expression.resolved(in: context), schema: schema)
            let wrong = documents.first { !matcher.matches($0) }
            return wrong.map { "\(query): delivered \($0.uniqueIdentifier), which does not match" }
        } catch {
            return "\(query): answered, although the reference calls it invalid: \(error)"
        }
    }
}
