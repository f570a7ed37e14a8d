import FresnelWire

// An operation that is refused for now goes out again behind batches that were sent after it. So
// that no older line replaces a newer one, everything on its way is settled first, and whatever
// came later for the same identifier goes out again too, in the order of the lines. An operation
// that is carried out twice in that order leaves what it left the first time.

extension ImportSession {
    /// One operation that must go out again.
    private struct Pending {
        let name: String
        let entry: SentBatch.Entry
    }

    /// Waits until no more than so many batches are on their way.
    func settle(downTo count: Int) async throws(SearchError) {
        while inFlight.count > count {
            var settled = [inFlight.removeFirst()]
            var outcomes = [try await persistentOutcome(of: settled[0].batch)]
            if outcomes[0].isUnfinished {
                for sent in inFlight { outcomes.append(try await persistentOutcome(of: sent.batch)) }
                settled += inFlight
                inFlight = []
            }
            var pending = take(outcomes, of: settled, repeated: [])
            for attempt in 2... where !pending.isEmpty {
                guard attempt <= ClientLimits.importAttempts else { throw outcomes.firstFailure }
                let again = try resend(pending)
                outcomes = []
                for sent in again { outcomes.append(try await persistentOutcome(of: sent.batch)) }
                pending = take(outcomes, of: again, repeated: [])
            }
        }
    }
}
