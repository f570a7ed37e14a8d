import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelWire

/// One write part on its way into a replica: what PUT_PART carried.
struct WritePart: Sendable {
    let sequence: SequenceNumber
    let put: WirePutPart
    let payload: [UInt8]

    var previous: SequenceNumber { SequenceNumber(put.previousSequence) }

    /// Whether another part is the same one, sent again.
    func isResent(by other: WritePart) -> Bool {
        put.superseding == other.put.superseding
            && put.batchNumber == other.put.batchNumber && put.clientLow == other.put.clientLow
            && put.clientHigh == other.put.clientHigh
    }
}

extension WritePart {
    /// The part as a journal record: the frames of its message, each behind its length.
    ///
    /// Without its epoch, which is not the same in every replica.
    var record: JournalRecord {
        var envelope = Envelope()
        envelope.sequence = sequence.value
        var put = put
        put.epoch = 0
        let message = Message(envelope, .putPart(put), payload: payload)
        var writer = ByteWriter()
        for frame in message.frames() {
            writer.writeVarint(UInt64(frame.count))
            writer.writeRaw(frame)
        }
        return JournalRecord(
            sequence: sequence, previous: previous, kind: .batch,
            client: UInt128(put.clientHigh) << 64 | UInt128(put.clientLow),
            batch: put.batchNumber, body: writer.bytes)
    }

    /// Reads a record back.
    init(_ record: JournalRecord) throws(WorkerError) {
        do {
            var reader = ByteReader(record.body)
            var frames: [[UInt8]] = []
            while reader.remaining > 0 {
                frames.append(try reader.readBytes(limit: WireLimits.largestFrameBytes))
            }
            let message = try Message(frames: frames)
            guard case .putPart(let put) = message.command else {
                throw WorkerError.record(
                    sequence: record.sequence.value, reason: "it is a \(message.command.verb)")
            }
            self.init(sequence: record.sequence, put: put, payload: message.payload ?? [])
        } catch let error as WorkerError {
            throw error
        } catch {
            throw .record(sequence: record.sequence.value, reason: "\(error)")
        }
    }
}

extension WritePart {
    /// The part as the index takes it.
    var input: PartInput {
        var search = WireSearch()
        search.context = put.context
        let stampedAt = Timestamp(seconds: put.stampedAt) ?? Timestamp(wholeSeconds: 0)
        search.stamp(at: Moment(instant: Instant(nanoseconds: 0), wall: stampedAt))
        return PartInput(
            sequence: sequence, previous: previous,
            batch: BatchIdentity(
                client: UInt128(put.clientHigh) << 64 | UInt128(put.clientLow),
                number: put.batchNumber),
            batchDigest: put.batchDigest, isSuperseding: put.superseding,
            operations: put.operations, payload: payload,
            customKeys: customKeys,
            stampedAt: stampedAt,
            expiredBy: put.hasExpiredBy ? Timestamp(seconds: put.expiredBy) : nil,
            context: search.queryContext)
    }

    /// The keys that can be read; the broker has checked them.
    private var customKeys: [CustomAttributeKey] {
        put.customKeys.compactMap { key in
            do { return try CustomAttributeKey(key) } catch { return nil }
        }
    }
}
