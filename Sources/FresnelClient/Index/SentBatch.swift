import FresnelSession
import FresnelWire

/// A batch on its way, with what is needed to say what became of each operation.
struct SentBatch {
    /// One operation with where it came from.
    struct Entry {
        let operation: PreparedOperation
        /// The position in the caller's call, or the line of an import.
        let position: Int
    }

    /// What the cluster said about it.
    struct Outcome {
        var applied = 0
        var deleted = 0
        var refused: [(entry: Entry, error: SearchError)] = []
    }

    let put: WirePut
    let payload: [UInt8]
    let entries: [Entry]
    let reply: Reply

    /// Waits for the acknowledgement.
    ///
    /// - Throws: `SearchError` when nothing of the batch is promised.
    func outcome() async throws(SearchError) -> Outcome {
        guard case .written(let ack) = try await reply.value() else {
            throw SearchError(.malformedMessage, "the broker answered PUT with another verb")
        }
        var outcome = Outcome()
        outcome.applied = Int(clamping: ack.applied)
        outcome.deleted = Int(clamping: ack.deleted)
        for refusal in ack.refusals {
            guard entries.indices.contains(Int(refusal.position)) else {
                throw SearchError(
                    .malformedMessage,
                    "the broker refused operation \(refusal.position) of \(entries.count)")
            }
            outcome.refused.append((entries[Int(refusal.position)], SearchError(refusal)))
        }
        return outcome
    }
}

/// An operation as it goes out.
enum PreparedOperation {
    case operation(BatchOperation)
    /// Index a document that is encoded already.
    case document(EncodedDocument)

    /// The document that is meant; nil for deletions that name none.
    var uniqueIdentifier: String? {
        switch self {
        case .operation(let operation): operation.uniqueIdentifier
        case .document(let document): document.uniqueIdentifier
        }
    }
}
