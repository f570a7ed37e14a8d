package import FresnelClient
package import FresnelModel

/// Draws a sample of an index's documents for their words.
package enum TermSampler {
    /// Documents that are read at most.
    package static let documentsMost = 5000

    /// The words of the first documents in the order of their identifiers, so that the same index
    /// gives the same sample.
    ///
    /// - Parameter indexes: all where it is empty.
    /// - Throws: `SearchError`, also where the index has no text.
    package static func sample(
        _ client: SearchClient, indexes: [IndexName], attributes: [String]
    ) async throws(SearchError) -> TermSample {
        var request = SearchRequest("uniqueIdentifier == \"*\"")
        request.indexes = indexes
        request.attributes = attributes
        request.limit = documentsMost
        request.deadline = .seconds(60)
        request.sort = [try SortKey(parsing: "uniqueIdentifier")]
        let query = client.search(request)
        var documents: [(identifier: String, text: String)] = []
        var batches = query.batches.makeAsyncIterator()
        while let batch = try await batches.next(isolation: #isolation) {
            for hit in batch {
                documents.append((hit.uniqueIdentifier, text(of: hit.attributes, attributes)))
            }
        }
        let completion = try await query.completion()
        if let error = completion.error { throw error }
        let sample = TermSample(documents: documents)
        guard !sample.isEmpty else {
            // Of shards that did not answer nobody knows what they have.
            if let error = unanswered(completion) { throw error }
            throw SearchError(
                .invalidArgument,
                "there is no text in \(attributes.joined(separator: ", ")) of the first "
                    + "\(documents.count) documents to draw words from"
            ).hinting("index documents first, or name other attributes with --attributes")
        }
        return sample
    }

    /// Why an answer without words says nothing about what is stored; nil if it is whole.
    static func unanswered(_ completion: Completion) -> SearchError? {
        guard !completion.isComplete else { return nil }
        let missing = completion.shards.filter { !$0.isWhole }
        let places = missing.prefix(3).map { shard in
            let worker = shard.worker.map { " on \($0.name)" } ?? ""
            return "\(shard.index.text) \(shard.shard.number)\(worker): \(shard.status.rawValue)"
        }
        let others = missing.count > places.count ? ", …" : ""
        let named = places.isEmpty ? "" : " (\(places.joined(separator: ", "))\(others))"
        return SearchError(
            .indexUnreachable,
            "\(missing.count) of \(completion.shards.count) shards did not answer\(named), so "
                + "there is nothing to draw words from"
        ).hinting("`fresnel status` names the workers; load again when the cluster is whole")
    }

    /// The texts of some attributes of a document, one behind the other.
    package static func text(
        of values: AttributeMap<AttributeValue>, _ attributes: [String]
    ) -> String {
        attributes.flatMap { texts(of: values[$0]) }.joined(separator: " ")
    }

    private static func texts(of value: AttributeValue?) -> [String] {
        switch value {
        case .string(let text): [text]
        case .strings(let texts): texts
        default: []
        }
    }
}
