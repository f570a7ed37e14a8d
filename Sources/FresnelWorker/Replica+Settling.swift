import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire

// Appended parts become durable and are applied, in two steps, so that the disk can sync the
// journals of several replicas at once (decision 0041).

extension Replica {
    /// Writes appended parts; `settle` must follow.
    ///
    /// - Parameter outside: hands what waits for the disk to another thread, if there is one.
    func beginSettling(outside: ((DiskWait) -> Void)?) -> Begun {
        do throws(JournalError) {
            guard let sync = try journal.beginSync() else { return .nothing }
            let wait = DiskWait { () throws(SystemError) in try sync.wait() }
            outside?(wait)
            return .syncing(sync, wait)
        } catch {
            return .refused(failure(error))
        }
    }

    /// Applies parts that were written: from here on every query at their sequence numbers sees
    /// them.
    ///
    /// They are worked out while the disk works, and seen once it has them.
    func settle(_ parts: [WritePart], _ begun: Begun) -> Settlement {
        let (sync, wait): (JournalSync, DiskWait)
        switch begun {
        case .nothing: return .applied(apply(parts))
        case .refused(let failure): return .refused(failure)
        case .syncing(let started, let waiting): (sync, wait) = (started, waiting)
        }
        let inputs = parts.map(\.input)
        var failure: SystemError?
        let results = index.apply(inputs) {
            failure = wait.failure()
            return failure == nil
        }
        do throws(JournalError) {
            try journal.endSync(sync, failure: failure)
            guard let results else { preconditionFailure("the disk has parts that nobody sees") }
            return .applied(acknowledgements(of: parts, inputs, results))
        } catch {
            return .refused(self.failure(error))
        }
    }

    /// What writing appended parts led to.
    enum Begun {
        /// Everything is durable already.
        case nothing
        case syncing(JournalSync, DiskWait)
        case refused(WireFailure)
    }

    /// What became of appended parts.
    enum Settlement {
        /// With the answer to each.
        case applied([WirePartAck])
        /// Nothing is applied, and what is in the journal of it will not be believed.
        case refused(WireFailure)
    }

    /// Applies durable parts: from here on every query at their sequence numbers sees them.
    func apply(_ parts: [WritePart]) -> [WirePartAck] {
        let inputs = parts.map(\.input)
        return acknowledgements(of: parts, inputs, index.apply(inputs))
    }

    private func acknowledgements(
        of parts: [WritePart], _ inputs: [PartInput], _ results: [PartResult]
    ) -> [WirePartAck] {
        // All parts are in by now: it is one number, which may take a look at every document.
        let documents = inputs.last.map { index.documentCount(at: $0.stampedAt) } ?? 0
        let holdsRelated = index.holdsRelated
        return parts.indices.map { place in
            var ack = acknowledgement(of: parts[place])
            switch results[place] {
            case .applied(let outcome):
                ack = acknowledgement(of: parts[place], outcome)
            case .gap(let last):
                ack.error = WireFailure(
                    .internalError,
                    "the index is at \(last.value), its journal at "
                        + "\(journal.lastSequence.value); restart the worker to replay the journal")
            }
            ack.holdsRelated = holdsRelated
            ack.documents = documents
            return ack
        }
    }
}
