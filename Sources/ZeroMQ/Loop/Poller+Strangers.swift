// What an owner says of connections that came to its listeners (`SocketSpecification.strangers`).

extension Poller {
    /// Lifts the limits of strangers: the owner knows whose a connection is.
    package func confirm(_ routingID: [UInt8], on id: SocketID) {
        find(id)?.confirm(routingID)
    }

    /// Takes a connection for a stranger's again, with as much time as one that just came.
    package func doubt(_ routingID: [UInt8], on id: SocketID) {
        find(id)?.doubt(routingID)
    }

    /// Where the other end of a connection is; nil where nobody can tell, or it is gone.
    package func origin(of routingID: [UInt8], on id: SocketID) -> PeerOrigin? {
        find(id)?.origin(of: routingID)
    }

    /// How many strangers were shown out since it was last asked; nil for none.
    package func takeStrangerReport(on id: SocketID) -> StrangerReport? {
        find(id)?.takeReport()
    }
}
