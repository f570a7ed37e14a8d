@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// A client that does not read: its data socket at the broker is full, so what is sent waits in
// front of it. The broker is told, and must send it no hits until it reads again.

extension Simulation {
    /// Lets a client read nothing for a while.
    mutating func slowDown(_ number: Int) {
        guard let connection = network.connection(of: .client(number), .data),
            network[connection].fullUntil == nil
        else { return }
        let until = now + random.milliseconds(50...4_000)
        network[connection].fullUntil = until
        network[connection].lastToPeer = max(network[connection].lastToPeer, until)
        agenda.add(.drain(connection: connection), at: until)
    }

    /// Whether a message has to wait; the broker is told once its decision is carried out.
    mutating func noteStall(_ message: Message, _ connection: Int) {
        guard network[connection].fullUntil != nil else { return }
        let hasHits =
            message.verb == .found
            || [.changes, .done].contains(message.verb) && message.payload != nil
        if network[connection].isKnownFull, hasHits {
            violate(.memoryBounded, "hits are sent to \(network[connection].peer), which is full")
        }
        tally.note(.stalledMessage)
        stalled.append(network[connection].address)
        network[connection].isStalled = true
    }

    /// What waited is in the socket, which is read again.
    mutating func drain(_ connection: Int) {
        let wasStalled = network[connection].isStalled
        network[connection].fullUntil = nil
        network[connection].isStalled = false
        network[connection].isKnownFull = false
        guard wasStalled, network[connection].isOpen,
            network[connection].brokerBoot == broker.boot
        else { return }
        tell(.drained(network[connection].address))
    }
}
