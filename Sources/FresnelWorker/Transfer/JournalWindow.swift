import FresnelCluster
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire

/// Some records of a journal as a run, so that the next request of a receiver, which goes on where
/// the last one ended, reads no file again.
struct JournalWindow {
    /// The run begins behind this record.
    let after: SequenceNumber
    private var run: [UInt8] = []
    /// Where the entries end in the run.
    private var ends: [(sequence: SequenceNumber, end: Int)] = []
    /// Whether more records follow than were read.
    private var isCut = false
    /// The newest part there was.
    let last: SequenceNumber

    /// Bytes after which no more records are read.
    private static let windowBytes = 8 << 20

    /// Reads the records behind `after`, up to `last`, which is durable.
    ///
    /// - Returns: nil where the journal does not reach back to `after`, or `after` is no record of
    ///   it.
    init?(
        _ location: JournalLocation, after: SequenceNumber, through last: SequenceNumber,
        storage: any Storage
    ) throws(JournalError) {
        self.after = after
        self.last = last
        guard after <= last else { return nil }
        guard after < last else { return }
        var reader: JournalReader
        do throws(JournalError) {
            reader = try JournalReader(location, storage: storage, after: after)
        } catch {
            if case .notHeld = error { return nil }
            throw error
        }
        while let record = try reader.next(), record.sequence <= last {
            if ends.isEmpty, record.previous != after { return nil }
            guard run.count < Self.windowBytes else {
                isCut = true
                break
            }
            TransferEntry(sequence: record.sequence.value, record: record.portableBytes)
                .encode(into: &run)
            ends.append((record.sequence, run.count))
        }
        guard !ends.isEmpty else { return nil }
    }

    /// The bytes that a request asks for; nil when its place is not in the window, or at its end
    /// while there is more.
    func piece(_ fetch: WireFetchReplica, newest: SequenceNumber) -> TransferPiece? {
        let after = SequenceNumber(fetch.afterSequence)
        let begin: Int
        if after == self.after {
            begin = 0
        } else if let place = ends.first(where: { $0.sequence == after }) {
            begin = place.end
        } else {
            return nil
        }
        let hasMore = isCut || newest > last
        let offset = Int(clamping: fetch.offset)
        guard offset <= run.count - begin, offset < run.count - begin || !hasMore else {
            return nil
        }
        let start = begin + offset
        let end = min(run.count, start + Int(fetch.length))
        return TransferPiece(
            payload: Array(run[start..<end]),
            total: UInt64(run.count - begin) + (hasMore ? 1 : 0), lastSequence: newest.value)
    }
}
