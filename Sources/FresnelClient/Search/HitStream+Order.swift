import FresnelSession
import FresnelWire
import ZeroMQ

/// The digests that do not agree: of the hits that came, and the one that the completion names.
package struct OrderMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the completion names, as it came.
    package let named: String
    /// That of the hits that came, in their order.
    package let taken: String

    package init(named: String, taken: String) {
        self.named = named
        self.taken = taken
    }

    package var description: String {
        "the completion names digest \(named), and the hits that came have \(taken)"
    }
}

extension SearchError {
    /// Hits that are not those of the completion.
    init(_ mismatch: OrderMismatch) {
        self.init(.malformedMessage, "\(mismatch)", underlying: mismatch)
        hint = "ask again; where it comes again, hits change on their way from the broker"
    }

    /// Which digests did not agree; nil of any other error.
    package var orderMismatch: OrderMismatch? { underlying as? OrderMismatch }
}

extension HitStream {
    /// Counts hits into the digest of what was taken; the one consumer calls it, in their order.
    func note(_ batch: HitBatchReader) {
        // Hits without keys have no order, and their completion names no digest.
        guard !batch.keyBytes(of: 0..<batch.count).isEmpty else { return }
        // Outside the lock: nobody else changes it, and more hits may come meanwhile.
        var order = state.withLock { $0.order }
        order.append(0..<batch.count, of: batch)
        state.withLock { [order] in $0.order = order }
    }

    /// Checks at the end that the hits are those of the completion (protocol, O-4).
    ///
    /// Only of a complete answer that one consumer has taken whole: of others some are missing.
    func checkOrder() throws(SearchError) {
        let mismatch = state.withLock { state -> OrderMismatch? in
            switch state.reader {
            case .discarding, .gone: return nil
            case .none, .sequence: break
            }
            guard case .success(let completion)? = state.ending, completion.isComplete,
                !completion.digest.isEmpty, completion.digest != state.order.text
            else { return nil }
            return OrderMismatch(named: completion.digest, taken: state.order.text)
        }
        if let mismatch { throw SearchError(mismatch) }
    }
}
