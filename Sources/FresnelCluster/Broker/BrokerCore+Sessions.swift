import FresnelKernels
import FresnelModel
import FresnelWire

// Who is there: HELLO, JOIN, CHALLENGE, heartbeats, faults and departures.

extension BrokerCore {
    mutating func greet(
        _ hello: WireHello, from address: PeerAddress, of host: PeerHost?, at moment: Moment
    ) -> [BrokerEffect] {
        let major = UInt32(Header.major)
        guard address.lane == .control else {
            return reject(
                address, .wrongState,
                "this is the port of a data lane, and HELLO goes to the control lane: connect to "
                    + "the port before it")
        }
        guard hello.minimumMajor <= major, hello.maximumMajor >= major else {
            return reject(
                address, .unsupportedVersion,
                "versions \(hello.minimumMajor) to \(hello.maximumMajor) are offered, \(major) is "
                    + "spoken here; upgrade the older side")
        }
        guard hello.role == (address.side == .worker ? .worker : .client) else {
            return reject(
                address, .wrongState,
                address.side == .worker
                    ? "this is the workers' port: clients connect to 7700, or where the broker's "
                        + "--listen says"
                    : "this is the clients' port: workers connect to 7710, or where the broker's "
                        + "--worker-listen says")
        }
        if address.side == .worker, !WorkerTable.isValid(name: hello.name) {
            return reject(
                address, .malformedMessage,
                "worker name \(hello.name.debugDescription) must be 1 to 64 letters, digits, . _ -")
        }
        // A HELLO that was repeated before its answer came changes nothing.
        if let known = sessions.session(at: address), known.bootID == hello.bootID, !known.isWhole {
            let effects = perform(liveness.hear(known.id, at: moment.instant), at: moment)
            return effects + send(Message(Envelope(), .welcome(welcome(known))), to: known.id)
        }
        if let refusal = refusal(of: hello, from: address, of: host) { return refusal }
        if address.side == .worker,
            let contested = contest(hello, from: address, at: moment)
        {
            return contested
        }
        var effects = address.side == .worker ? joinCluster(of: hello, at: moment) : []
        let isForeign = address.side == .worker && isForeign(hello)
        tokenCount += 1
        let token = Hash.checksum(of: withToken(tokenCount), seed: settings.secret)
        let (session, closed) = sessions.open(hello, from: address, of: host, token: token)
        effects += closed.flatMap { forget($0, at: moment) }
        effects += perform(liveness.hear(session.id, at: moment.instant), at: moment)
        effects += send(
            Message(Envelope(), .welcome(welcome(session))),
            to: session.id)
        if address.side == .worker {
            effects += register(session, hello, at: moment)
            // Behind the end of the session before: what was told there goes with that one.
            unknown.register(
                WorkerID(hello.name), hello, isForeign: isForeign, at: moment.instant)
        }
        return effects
    }

    mutating func joinLanes(
        _ join: WireJoin, from address: PeerAddress, at moment: Moment
    ) -> [BrokerEffect] {
        let former = sessions.dataLane(of: join.sessionToken)
        guard address.lane == .data,
            let session = sessions.join(token: join.sessionToken, from: address)
        else { return challenge(address, at: moment) }
        var effects = perform(liveness.hear(session.id, at: moment.instant), at: moment)
        effects += send(
            Message(Envelope(), .joined), to: session.id)
        switch address.side {
        case .worker:
            mayLackReplicas = true
            if let former, former != address { effects += loseAnswers(of: session, at: moment) }
            effects += assignments(at: moment)
        // What stood full was the lane before this one, of which nothing more will be heard.
        case .client: effects += resume(address, at: moment)
        }
        return effects
    }

    /// Asks other replicas for what a worker may have answered on the data lane before this one.
    ///
    /// Its acknowledgements of parts are asked for again anyway.
    private mutating func loseAnswers(of session: Session, at moment: Moment) -> [BrokerEffect] {
        guard let worker = workers.worker(of: session.id) else { return [] }
        let replicas = otherReplicas
        let moved = queries.loseAnswers(of: worker, at: moment.instant) { shard in
            replicas(shard).filter { $0.worker != worker }
        }
        return perform(moved + tails.lose(worker: worker, at: moment.instant), at: moment)
    }

    /// Asks an address without a session to say HELLO (control) or JOIN (data).
    mutating func challenge(_ address: PeerAddress, at moment: Moment) -> [BrokerEffect] {
        guard isReady else {
            if early.count < Limits.challengedAddresses { early.append(address) }
            return []
        }
        guard sessions.session(at: address) == nil,
            sessions.mayChallenge(address, at: moment.instant)
        else { return [] }
        var envelope = Envelope()
        envelope.epoch = state.epoch
        return [.send(Message(envelope, .challenge), to: address)]
    }

    /// Frames that are no message: a known peer is told and, after too many, cut off.
    mutating func blame(
        _ address: PeerAddress, for error: WireError, request: Envelope = Envelope(),
        at moment: Moment
    ) -> [BrokerEffect] {
        counters.unreadableMessages += 1
        guard let session = sessions.session(at: address) else { return [] }
        var effects = [
            BrokerEffect.log(
                .warning, "\(session.shownName) sent an unreadable message: \(error)")
        ]
        effects += send(
            Message(request.reply, .error(WireFailure(error.code, "\(error)"))), to: session.id)
        if sessions.blame(session.id) { effects += lose(session, at: moment) }
        return effects
    }

    /// Ends a session and everything that hangs on it.
    mutating func lose(_ session: Session, at moment: Moment) -> [BrokerEffect] {
        sessions.close(session.id)
        return forget(session, at: moment)
    }

    mutating func perform(
        _ actions: [Liveness<SessionID>.Action], at moment: Moment
    ) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for action in actions {
            switch action {
            case .ping(let id):
                effects += send(
                    Message(Envelope(), .ping(ping(id, at: moment))), to: id)
            case .suspect(let id):
                workers.setSuspect(id, true)
                guard let worker = workers.worker(of: id) else { continue }
                let moved = queries.suspect(
                    worker: worker, at: moment.instant, otherReplicas)
                effects += perform(moved, at: moment)
            case .recover(let id):
                workers.setSuspect(id, false)
                guard let worker = workers.worker(of: id), let entry = workers[worker] else {
                    continue
                }
                // What others told meanwhile was judged as if it were not there.
                for key in entry.whole.keys.sorted() {
                    effects += excludeFaulty(from: key, besides: worker)
                }
            case .evict(let id):
                guard let session = sessions[id] else { continue }
                counters.evictedPeers += 1
                effects.append(
                    .log(.warning, "\(session.shownName) was silent too long; its session ends"))
                effects += lose(session, at: moment)
            }
        }
        return effects
    }

    private mutating func forget(_ session: Session, at moment: Moment) -> [BrokerEffect] {
        liveness.forget(session.id)
        // Whatever told that it ends.
        standings.noteEvent()
        switch session.control.side {
        case .client:
            postponed.forget(session.id)
            return perform(queries.lose(client: session.id, at: moment.instant), at: moment)
                + perform(tails.lose(client: session.id, at: moment.instant), at: moment)
        case .worker: return unregister(session, at: moment)
        }
    }

    func reject(
        _ address: PeerAddress, _ code: ErrorCode, _ text: String
    ) -> [BrokerEffect] {
        let command = Command.reject(WireFailure(code, text))
        return [
            .send(Message(Envelope(), command), to: address)
        ]
    }

    private func welcome(_ session: Session) -> WireWelcome {
        var welcome = WireWelcome()
        welcome.incarnation = settings.incarnation
        welcome.epoch = state.epoch.value
        welcome.cluster = state.clusterID
        welcome.sessionToken = session.token
        welcome.dataEndpoint =
            switch session.control.side {
            case .client: settings.clientDataEndpoint
            case .worker: settings.workerDataEndpoint
            }
        let timers = settings.timers
        welcome.pingIntervalMs = UInt32(timers.pingInterval.wholeNanoseconds / 1_000_000)
        welcome.suspectAfterMs = UInt32(timers.suspectAfter.wholeNanoseconds / 1_000_000)
        welcome.deadAfterMs = UInt32(timers.deadAfter.wholeNanoseconds / 1_000_000)
        welcome.writeCreditBytes = UInt64(Limits.writeCreditBytes)
        return welcome
    }

    private func withToken(_ count: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
}
