import FresnelClient
import FresnelModel
import FresnelQuery

/// Asks the cluster and the reference matcher the same, and compares the identifiers they find.
struct Verification {
    /// What came out for one query.
    enum Verdict {
        case equal
        /// The first few identifiers of each side, in order.
        case different(missing: [String], extra: [String])
        /// Both sides call the query invalid: nothing was compared.
        case invalid(String)
        /// One side calls the query invalid, the other does not.
        case refusedByOne(String)
        /// The cluster did not search everything.
        case incomplete(String)
    }

    let client: SearchClient
    let index: IndexName
    let documents: ReferenceDocuments
    let context: QueryContext
    let deadline: Duration

    /// Runs one query on both sides.
    func verdict(on query: String) async throws(SearchError) -> Verdict {
        var refusal = ""
        let expected: Set<[UInt8]>?
        do throws(QueryError) {
            expected = try documents.identifiers(matching: query, in: context, of: index)
        } catch {
            refusal = "invalid query: \(QueryComplaint(error, in: query).reason)"
            expected = nil
        }
        let found: Set<[UInt8]>?
        do throws(SearchError) {
            found = try await identifiers(matching: query)
        } catch {
            if error.code == .indexUnreachable || error.code == .budgetExhausted {
                return .incomplete(error.description)
            }
            guard error.code == .invalidQuery else { throw error }
            found = nil
        }
        switch (expected, found) {
        case (nil, nil): return .invalid(refusal)
        case (nil, _?): return .refusedByOne("only the reference refuses it")
        case (_?, nil): return .refusedByOne("only the cluster refuses it")
        case (let expected?, let found?):
            if expected == found { return .equal }
            return .different(
                missing: Self.texts(expected.subtracting(found)),
                extra: Self.texts(found.subtracting(expected)))
        }
    }

    private static func texts(_ identifiers: Set<[UInt8]>) -> [String] {
        identifiers.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Identifiers are compared as bytes: to the cluster two spellings of one text are two.
    private func identifiers(
        matching text: String
    ) async throws(SearchError) -> Set<[UInt8]> {
        var request = SearchRequest(text)
        request.indexes = [index]
        request.delivery = .found
        request.deadline = deadline
        request.now = context.now
        request.timeZone = context.timeZone
        let query = client.search(request)
        var found: Set<[UInt8]> = []
        for try await batch in query.batches {
            for hit in batch { found.insert(Array(hit.uniqueIdentifier.utf8)) }
        }
        let completion = try await query.completion()
        if let error = completion.error { throw error }
        guard completion.isComplete else {
            throw SearchError(.indexUnreachable, "the answer is \(completion.status.rawValue)")
        }
        return found
    }
}
