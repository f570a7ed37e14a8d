import FresnelCluster
import FresnelModel
import FresnelWire
import ZeroMQ

/// Answers queries with numbered hits, exactly within the credit that it was granted.
final class SearchScript: BrokerScript {
    struct State {
        var granted: UInt64 = 0
        var sent: UInt64 = 0
        var nextSequence: UInt64 = 0
        var largestGrant: UInt64 = 0
        var wasCancelled = false
        var isDone = false
        /// Whether hits have no order, and nothing but identifiers.
        var isFrontCoded = false
    }

    let hitCount: UInt64
    /// Of the first hits; the others are numbered.
    let names: [String]
    /// What the completion names instead of the digest of the hits.
    let forgedDigest: String?
    let state = Guarded(State())
    /// Tells a test that a cancel came.
    let cancelled: AsyncStream<Void>
    private let cancelling: AsyncStream<Void>.Continuation

    init(hitCount: UInt64, names: [String] = [], forgedDigest: String? = nil) {
        self.forgedDigest = forgedDigest
        self.hitCount = hitCount
        self.names = names
        (cancelled, cancelling) = AsyncStream.makeStream()
    }

    func answers(to message: Message) -> [Message] {
        let id = message.envelope.id
        switch message.command {
        case .status: return [Message(Envelope(id: id), .statusReply(WireStatusReply()))]
        case .query(let search):
            if search.query.contains("broken") {
                var failure = WireFailure()
                failure.code = -2002
                failure.message = "invalid query"
                failure.offset = 3
                failure.hint = "write it well"
                return [Message(Envelope(id: id), .error(failure))]
            }
            state.withLock { $0 = State(isFrontCoded: search.frontCoded) }
            return stream(id, granted: search.creditItems)
        case .credit(let credit): return stream(id, granted: credit.items)
        case .cancel:
            cancelling.yield()
            return state.withLock { state in
                state.wasCancelled = true
                guard !state.isDone else { return [] }
                state.isDone = true
                return [done(id, status: "cancelled")]
            }
        default: return []
        }
    }

    private func stream(_ id: RequestID, granted: UInt64) -> [Message] {
        state.withLock { state in
            guard !state.isDone else { return [] }
            state.granted = max(state.granted, granted)
            state.largestGrant = max(state.largestGrant, state.granted - state.sent)
            var messages: [Message] = []
            while state.sent < hitCount, state.sent < state.granted {
                let end = min(state.sent + 4, state.granted, hitCount)
                var envelope = Envelope(id: id)
                envelope.sequence = state.nextSequence
                state.nextSequence += 1
                var found = WireFound()
                found.items = end - state.sent
                found.total = end
                messages.append(
                    Message(
                        envelope, .found(found),
                        payload: state.isFrontCoded
                            ? frontCoded(state.sent..<end) : batch(state.sent..<end)))
                state.sent = end
            }
            if state.sent == hitCount {
                state.isDone = true
                messages.append(
                    done(id, status: "complete", hasDigest: !state.isFrontCoded))
            }
            return messages
        }
    }

    private func batch(_ numbers: Range<UInt64>) -> [UInt8] {
        var writer = HitBatchWriter()
        for number in numbers {
            let name = name(number)
            let document = Document(
                uniqueIdentifier: name, domainIdentifier: "a.b",
                attributes: ["title": .string("Hit \(number)")])
            let body = HitBody(
                index: "default", score: Double(number),
                document: DocumentCoding.encode(document))
            writer.append(key: Array(name.utf8), body: body.encode())
        }
        return writer.bytes()
    }

    private func frontCoded(_ numbers: Range<UInt64>) -> [UInt8] {
        var (offsets, blob): ([UInt32], [UInt8]) = ([0], [])
        for number in numbers {
            blob += Array(name(number).utf8)
            offsets.append(UInt32(blob.count))
        }
        let places = (0..<UInt32(numbers.count)).map { $0 }
        let batch = BareHits(index: Array("default".utf8), head: [1, 2, 0]).batch(
            places.span, offsets: offsets.span, blob: blob.span, below: 1 << 16)
        guard let batch else { preconditionFailure("no batch of \(numbers)") }
        return batch.payload
    }

    private func name(_ number: UInt64) -> String {
        number < names.count ? names[Int(number)] : "hit-\(number)"
    }

    /// Of all hits; a cancelled answer has fewer.
    var digest: String {
        var digest = OrderDigest()
        for number in 0..<hitCount { digest.append(Array(name(number).utf8)[...]) }
        return digest.text
    }

    private func done(_ id: RequestID, status: String, hasDigest: Bool = true) -> Message {
        var report = WireShardReport()
        report.index = "default"
        report.worker = "w1"
        report.status = status == "complete" ? .complete : .cancelled
        report.searched = hitCount
        report.owned = hitCount
        report.found = hitCount
        var done = WireDone()
        done.status = status
        done.complete = status == "complete"
        done.found = hitCount
        done.searched = hitCount
        done.owned = hitCount
        done.shards = [report]
        if hasDigest { done.digest = forgedDigest ?? digest }
        return Message(Envelope(id: id), .done(done))
    }
}
