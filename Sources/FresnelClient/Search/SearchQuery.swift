import FresnelSession
import FresnelWire

/// A running search: a stream of hits, and one completion.
///
/// Hits are taken by one consumer, either through `hits` or through `batches`; taking them grants
/// the cluster credit for more, so memory stays bounded however many there are. `completion()` may
/// be called at any time: before, during or after taking hits; when nobody takes hits, they are
/// dropped until the completion arrives. The search is cancelled by `cancel()`, by cancelling the
/// task that takes hits, and by letting go of the sequence or of the query.
public final class SearchQuery: Sendable {
    /// What is searched for.
    public let request: SearchRequest
    let stream: HitStream

    init(_ request: SearchRequest, on connection: ClientConnection) {
        let id = connection.freshID()
        self.request = request
        stream = HitStream(request, id: id, connection: connection)
        do throws(SearchError) {
            try request.validate()
            let search = WireSearch(request)
            // Parts that are each small enough can be too much together.
            if request.mayOverflow, let (bytes, limit) = Command.query(search).overflow {
                throw SearchError(
                    .tooLarge, "the search takes \(bytes) bytes; at most \(limit) travel at once"
                ).hinting("ask for fewer filters or identifiers at once")
            }
            connection.submit(
                id, .search(id, search, budget: request.deadline), to: stream)
        } catch {
            stream.fail(error)
        }
    }

    deinit { stream.cancel() }

    /// The hits one by one, in the order of the delivery.
    public var hits: Hits { Hits(query: self) }

    /// The hits as they arrive, several at once, in the order of the delivery.
    public var batches: Batches { Batches(query: self) }

    /// Hits that have arrived so far; a batch is counted before it is handed out.
    public var foundItemCount: Int { stream.foundItemCount }

    /// When the broker said that it has taken the query, in nanoseconds of the monotonic clock; nil
    /// until then, and of queries that do not ask for it (`SearchRequest.isAnnounced`).
    package var acceptedNanoseconds: Int64? { stream.acceptedNanoseconds }

    /// How the search ended: what was searched, what was found, what is missing.
    ///
    /// The same every time it is asked for.
    ///
    /// - Throws: `SearchError` when the query could not be run or the broker was lost.
    public func completion() async throws(SearchError) -> Completion {
        try await stream.completion()
    }

    /// Stops the search; hits that have arrived can still be taken, and the completion says
    /// `cancelled` unless the search had ended before.
    public func cancel() { stream.cancel() }

    /// Whether an attribute of a document was asked for.
    func wants(_ attribute: String) -> Bool {
        request.returnsAllAttributes || request.attributes.contains(attribute)
    }
}

extension SearchRequest {
    /// Whether a valid request may be longer than its frame: several long texts together.
    fileprivate var mayOverflow: Bool {
        var bytes = query.utf8.count
        for texts in [filters, attributes, identifiers] {
            for text in texts { bytes += text.utf8.count + 8 }
        }
        for index in indexes { bytes += index.text.utf8.count + 8 }
        for facet in facets { bytes += facet.attribute.utf8.count + 16 }
        for key in sort {
            if case .attribute(let name) = key.field { bytes += name.utf8.count + 16 }
        }
        // What is left is a cursor, a slot and names of a zone and a language.
        return bytes > 128 << 10 || (timeZone?.utf8.count ?? 0) + (language?.utf8.count ?? 0) > 1024
    }
}
