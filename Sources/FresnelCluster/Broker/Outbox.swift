import FresnelModel
package import FresnelWire

/// Messages that wait in front of full sockets, in their order, by address.
///
/// A client that does not read fills its socket at the broker. Nothing that was decided is dropped
/// then: it waits here, the client's queries stand still (`BrokerEvent.stalled`), and when the
/// client reads again everything goes on in the same order. Bounded in bytes per address.
package struct Outbox: Sendable {
    /// What the socket said about a message.
    package enum Verdict: Hashable, Sendable {
        case sent
        case full
        case gone
    }

    private struct Queue: Sendable {
        var messages: ArraySlice<Message> = []
        var bytes = 0
    }

    private var queues: [PeerAddress: Queue] = [:]
    private let limitBytes: Int

    package init(limitBytes: Int = Limits.outboxBytes) {
        self.limitBytes = limitBytes
    }

    package var isEmpty: Bool { queues.isEmpty }

    /// Addresses with something waiting.
    package var addresses: [PeerAddress] { Array(queues.keys) }

    /// Bytes that wait for an address.
    package func byteCount(for address: PeerAddress) -> Int { queues[address]?.bytes ?? 0 }

    /// Whether messages wait for this address, so that a new one must wait behind them.
    package func isWaiting(for address: PeerAddress) -> Bool { queues[address] != nil }

    /// Puts a message at the end; false, and everything for the address dropped, when that is more
    /// than may wait: the caller ends the session.
    package mutating func append(_ message: Message, for address: PeerAddress) -> Bool {
        var queue = queues[address] ?? Queue()
        queue.messages.append(message)
        queue.bytes += Self.weight(of: message)
        guard queue.bytes <= limitBytes else {
            queues[address] = nil
            return false
        }
        queues[address] = queue
        return true
    }

    /// Forgets an address.
    package mutating func drop(_ address: PeerAddress) {
        queues[address] = nil
    }

    /// Sends from the front for as long as the socket takes it; tells what stopped it: `sent` when
    /// nothing waits any more, `gone` when the peer is, and what waited with it.
    package mutating func flush<Failure>(
        _ address: PeerAddress, _ send: (Message) throws(Failure) -> Verdict
    ) throws(Failure) -> Verdict {
        while let queue = queues[address], let message = queue.messages.first {
            switch try send(message) {
            case .sent:
                queues[address]?.messages.removeFirst()
                queues[address]?.bytes -= Self.weight(of: message)
            case .full: return .full
            case .gone:
                queues[address] = nil
                return .gone
            }
        }
        queues[address] = nil
        return .sent
    }

    /// Bytes that a waiting message keeps: its payload, and its control frame as it was decoded.
    private static func weight(of message: Message) -> Int {
        Header.fixedLength + (message.payload?.count ?? 0)
            + (message.command.controlBytes?.count ?? 0)
    }
}
