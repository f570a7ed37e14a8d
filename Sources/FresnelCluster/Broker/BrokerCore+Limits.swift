import FresnelModel
import FresnelWire

// What no peer can exceed: sessions, names, and what waits for a client that does not read.

extension BrokerCore {
    /// Why a new session is refused; nil when there is room and its texts are short enough.
    func refusal(
        of hello: WireHello, from address: PeerAddress, of host: PeerHost?
    ) -> [BrokerEffect]? {
        for (text, limit, what) in [
            (hello.name, Limits.clientNameBytes, "name"),
            (hello.software, Limits.softwareBytes, "software line"),
            (hello.transferEndpoint, Limits.endpointBytes, "transfer endpoint"),
        ] where text.utf8.count > limit {
            return reject(
                address, .tooLarge, "a \(what) of \(text.utf8.count) bytes; the limit is \(limit)")
        }
        // One that comes back closes its former session.
        guard sessions.session(at: address) == nil,
            let text = crowd(at: address.side, for: host)
        else { return nil }
        return reject(address, .busy, text)
    }

    /// Why there is no session left for a machine; nil when there is one.
    private func crowd(at side: PeerAddress.Side, for host: PeerHost?) -> String? {
        let most = side == .client ? Limits.clientSessions : Limits.workerSessions
        let count = sessions.count(of: side)
        guard let host, !host.isThisMachine else {
            return count < most
                ? nil : "\(most) \(side)s are connected; try again when one has left"
        }
        guard count < most - Limits.operatorSessions else {
            return
                "\(count) \(side)s are connected, and the last \(Limits.operatorSessions) places "
                + "are for the broker's own machine; try again when one has left"
        }
        guard sessions.count(of: side, from: host) < Limits.sessionsPerAddress else {
            return
                "\(Limits.sessionsPerAddress) \(side)s are connected from \(host.name), the most "
                + "that one address may have; try again when one has left"
        }
        return nil
    }

    /// Why a batch cannot be taken on, now or later; nil when it can.
    func bound(_ put: WirePut, of session: Session) -> (code: ErrorCode, text: String)? {
        if put.hasContext, !put.context.now.isFinite {
            return (.invalidArgument, "now is \(put.context.now); use seconds since 2001, or 0")
        }
        guard postponed.hasRoom(for: BatchKey(put), of: session.id) else {
            return (
                .tooMany,
                "\(Limits.postponedPerClient) importers of this client were told to come again; "
                    + "let them finish first"
            )
        }
        return nil
    }

    /// A client's data socket is full: nothing more is sent to it until that has changed.
    mutating func hold(_ address: PeerAddress, at moment: Moment) -> [BrokerEffect] {
        guard let session = sessions.session(at: address) else { return [] }
        counters.stalledSends += 1
        return perform(
            queries.hold(session.id, at: moment.instant)
                + tails.hold(session.id, at: moment.instant), at: moment)
    }

    /// A client reads again.
    mutating func resume(_ address: PeerAddress, at moment: Moment) -> [BrokerEffect] {
        guard let session = sessions.session(at: address) else { return [] }
        return perform(
            queries.resume(session.id, at: moment.instant)
                + tails.resume(session.id, at: moment.instant), at: moment)
    }

    /// Nothing may be dropped silently: who has more waiting than it may have is disconnected.
    mutating func end(congested address: PeerAddress, at moment: Moment) -> [BrokerEffect] {
        counters.congestedSends += 1
        guard let session = sessions.session(at: address) else { return [] }
        let text = "\(session.shownName) does not take what it asked for; its session ends"
        return [.log(.error, text)] + lose(session, at: moment)
    }
}
