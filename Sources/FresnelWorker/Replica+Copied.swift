import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelWire

extension Replica {
    /// The digest of the newest record; 0 where the journal does not hold it.
    var lastRecordDigest: UInt64 {
        RecordDigest.digest(of: lastSequence, in: location, storage: storage)
    }

    /// An answer with the newest part that is durable by now.
    func renewed(_ answer: WirePartAck) -> WirePartAck {
        var answer = answer
        answer.lastSequence = lastSequence.value
        return answer
    }

    /// What became of records of another replica.
    enum CopiedOutcome {
        /// All are journaled, synced and applied, now or before.
        case applied
        /// One does not follow the newest record here.
        case forked(WireFailure)
        case failed(WireFailure)
    }

    /// Journals, syncs and applies records as another replica of the shard journaled them.
    ///
    /// Those that are here already change nothing.
    func append(copied entries: [TransferEntry]) -> CopiedOutcome {
        var parts: [WritePart] = []
        for entry in entries where entry.sequence > lastSequence.value {
            guard let record = JournalRecord(portable: entry.record),
                record.sequence.value == entry.sequence
            else {
                forgetAppended()
                return .failed(
                    WireFailure(.storageFailed, "record \(entry.sequence) came damaged"))
            }
            do throws(WorkerError) {
                parts.append(try WritePart(record))
            } catch {
                forgetAppended()
                return .failed(WireFailure(.storageFailed, error.description))
            }
            guard record.previous == lastSequence else {
                let text =
                    "record \(entry.sequence) follows \(record.previous.value), here the "
                    + "newest is \(lastSequence.value)"
                forgetAppended()
                return .forked(WireFailure(.gap, text))
            }
            if let failure = append(record) {
                forgetAppended()
                return .failed(failure)
            }
        }
        if let failure = sync() { return .failed(failure) }
        for ack in apply(parts) {
            if let failure = ack.failureOfIndex { return .failed(failure) }
        }
        return .applied
    }
}

extension WirePartAck {
    /// That the index could not follow its journal; refusals of operations are none.
    fileprivate var failureOfIndex: WireFailure? {
        hasError && error.code == ErrorCode.internalError.number ? error : nil
    }
}
