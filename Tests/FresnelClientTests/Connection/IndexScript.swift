import FresnelModel
import FresnelWire
import ZeroMQ

/// Takes batches, keeps the client state, and refuses what a test wants refused.
final class IndexScript: BrokerScript {
    struct State {
        var puts: [WirePut] = []
        var clientState: [UInt8]?
        var customKeys: [WireCustomKey] = []
        /// Identifiers that are refused, with the code.
        var refused: [String: Int32] = [:]
        /// Batches that are answered before the broker falls silent for the rest.
        var answered = Int.max
        /// Batches that are answered as by a broker that does not know the index, or not any more.
        var unknowing = 0
    }

    let state = Guarded(State())

    func answers(to message: Message) -> [Message] {
        let envelope = Envelope(id: message.envelope.id)
        return state.withLock { state in
            switch message.command {
            case .status:
                var index = WireIndexStatus()
                index.name = "default"
                index.customKeys = state.customKeys
                var reply = WireStatusReply()
                reply.indexes = [index]
                return [Message(envelope, .statusReply(reply))]
            case .fetchState:
                var reply = WireClientState()
                if let bytes = state.clientState { reply.stateBytes = bytes }
                return [Message(envelope, .state(reply))]
            case .put(let put):
                state.puts.append(put)
                guard state.puts.count <= state.answered else {
                    // A failure that no repetition heals.
                    return [Message(envelope, .putAck(Self.failure(500, "the broker died")))]
                }
                guard state.unknowing == 0 else {
                    state.unknowing -= 1
                    state.clientState = nil
                    return [Message(envelope, .putAck(Self.failure(404, "there is no index")))]
                }
                return [Message(envelope, .putAck(Self.acknowledge(put, &state)))]
            default: return []
            }
        }
    }

    private static func acknowledge(_ put: WirePut, _ state: inout State) -> WirePutAck {
        if let expected = put.expectedClientStateBytes, expected != state.clientState ?? [] {
            return failure(-1006, "the stored client state is another")
        }
        var ack = WirePutAck()
        for operation in put.operations {
            guard let code = state.refused[operation.identifier] else { continue }
            var result = WireItemResult()
            result.position = operation.position
            result.code = code
            result.message = "refused by the test"
            ack.refusals.append(result)
            // What may succeed later does succeed later.
            if code > 300 { state.refused[operation.identifier] = nil }
        }
        ack.applied = UInt64(put.operations.count - ack.refusals.count)
        if let bytes = put.clientStateBytes { state.clientState = bytes }
        return ack
    }

    private static func failure(_ code: Int32, _ text: String) -> WirePutAck {
        var ack = WirePutAck()
        ack.error.code = code
        ack.error.message = text
        return ack
    }
}
