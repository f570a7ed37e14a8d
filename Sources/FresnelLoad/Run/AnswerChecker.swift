import FresnelClient
package import FresnelModel
import FresnelQuery
import FresnelSystem

/// Looks at some answers of a run with the reference matcher: every hit has to be a document that
/// is there and matches its query.
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

    /// What is wrong with an answer; nil if every hit is a document that matches, or was deleted
    /// since.
    ///
    /// A hit without a document is asked for again: what was deleted meanwhile, the same request
    /// does not deliver any more.
    func complaint(
        about hits: [Hit], _ request: SearchRequest, _ source: some AnswerSource
    ) async -> String? {
        do throws(SearchError) {
            let first = try await look(at: hits, of: request, source)
            for (index, documents) in first.documents {
                if let complaint = complaint(about: documents, of: index, request.query) {
                    return complaint
                }
            }
            // A page behind a cursor is of the state that its first page saw.
            guard !first.missing.isEmpty, request.after == nil, request.before == nil else {
                return nil
            }
            var again = request
            // A newer letter of the typing would end it.
            again.slot = nil
            again.isAnnounced = false
            let missing = Set(first.missing.map(HitName.init))
            let repeated = try await source.hits(of: again) { missing.contains(HitName($0)) }
            let second = try await look(at: repeated, of: request, source)
            return second.missing.first.map {
                "\(request.query): delivered \($0.uniqueIdentifier), and there is no such document"
            }
        } catch {
            // Else the cluster is too busy for this, which says nothing about the answer.
            return error.orderMismatch.map { "\(request.query): asked again, \($0)" }
        }
    }

    /// Fetches the documents of hits, and says of which hits there is none.
    private func look(
        at hits: [Hit], of request: SearchRequest, _ source: some AnswerSource
    ) async throws(SearchError) -> (
        documents: [(index: IndexName, documents: [Document])], missing: [Hit]
    ) {
        var documents: [(index: IndexName, documents: [Document])] = []
        var missing: [Hit] = []
        let indexes = Set(hits.map(\.index)).sorted { $0.text < $1.text }
        for index in indexes {
            let asked = hits.filter { $0.index == index }
            let (found, isWhole) = try await source.documents(
                asked.map(\.uniqueIdentifier), in: index, now: request.now)
            documents.append((index, found))
            // What is on a shard that did not answer may be there.
            guard isWhole else { continue }
            let names = Set(found.map { Array<UInt8>($0.uniqueIdentifier.utf8) })
            missing += asked.filter { !names.contains(Array<UInt8>($0.uniqueIdentifier.utf8)) }
        }
        return (documents, missing)
    }

    /// What the matcher says against documents that an answer delivered; nil if nothing.
    private func complaint(
        about documents: [Document], of index: IndexName, _ query: String
    ) -> String? {
        guard !documents.isEmpty else { return nil }
        do throws(QueryError) {
            let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
            let matcher = ReferenceMatcher(
                expression: try parsed.expression.resolved(in: context), schema: schema,
                index: index.text)
            let wrong = documents.first { !matcher.matches($0) }
            return wrong.map { "\(query): delivered \($0.uniqueIdentifier), which does not match" }
        } catch {
            return "\(query): answered, although the reference calls it invalid: \(error)"
        }
    }
}

/// What a hit names: identifiers of other bytes are others.
private struct HitName: Hashable {
    private let index: IndexName
    private let identifier: [UInt8]

    init(_ hit: Hit) {
        index = hit.index
        identifier = Array<UInt8>(hit.uniqueIdentifier.utf8)
    }
}

/// Where the checker asks about an answer.
protocol AnswerSource: Sendable {
    /// The documents with these identifiers, and whether every shard was searched for them.
    func documents(
        _ identifiers: [String], in index: IndexName, now: Timestamp?
    ) async throws(SearchError) -> (documents: [Document], isWhole: Bool)

    /// The hits of a request that are wanted.
    func hits(
        of request: SearchRequest, where isWanted: @Sendable (Hit) -> Bool
    ) async throws(SearchError) -> [Hit]
}

extension SearchClient: AnswerSource {
    func documents(
        _ identifiers: [String], in index: IndexName, now: Timestamp?
    ) async throws(SearchError) -> (documents: [Document], isWhole: Bool) {
        let (documents, completions) = try await fetch(identifiers, indexes: [index], now: now)
        return (documents.map(\.document), completions.allSatisfy(\.isComplete))
    }

    func hits(
        of request: SearchRequest, where isWanted: @Sendable (Hit) -> Bool
    ) async throws(SearchError) -> [Hit] {
        var hits: [Hit] = []
        for try await batch in search(request).batches { hits += batch.filter(isWanted) }
        return hits
    }
}
