package import FresnelModel
package import FresnelWire

/// What can happen to a client's protocol engine.
package enum ClientEvent: Sendable {
    /// A well-formed message arrived from the broker.
    case received(Message, lane: Lane)
    /// Frames arrived that are no message.
    case unreadable(WireError, lane: Lane)
    /// The application starts a query; `id` is fresh and random.
    case search(RequestID, WireSearch, budget: Duration)
    /// The application grants credit: cumulative totals since the query began.
    case grant(RequestID, items: UInt64, bytes: UInt64)
    /// The application no longer wants the query.
    case cancel(RequestID)
    /// The application writes a batch; held back while write credit is used up.
    case put(RequestID, WirePut, payload: [UInt8], budget: Duration)
    /// The application asks for the client state of an index.
    case fetchState(RequestID, index: String, budget: Duration)
    /// The application asks for the cluster's status.
    case status(RequestID, budget: Duration)
    /// The application asks what would move between workers, or wants it moved.
    case plan(RequestID, WirePlanRequest, budget: Duration)
    /// The application makes or removes an index or an alias.
    case changeIndexes(RequestID, WireChangeIndexes, budget: Duration)
    /// The application has an index copied to a store, or made from one.
    case snapshot(RequestID, WireSnapshot, budget: Duration)
    /// The application goes away.
    case close
    /// Time passed.
    case tick
}

/// What a client's protocol engine wants done.
package enum ClientEffect: Sendable {
    /// Send to the broker, never blocking.
    case send(Message, lane: Lane)
    /// Connect (or reconnect) the data lane there.
    case connectData(endpoint: String)
    /// Tell the application about its request.
    case notify(RequestID, ClientNotice)
    /// Tell the application's log.
    case log(LogLevel, String)
}

/// What an application learns about its request; the last five end it.
package enum ClientNotice: Sendable {
    /// The query runs; `owned` documents will be searched.
    case accepted(WireAccepted)
    /// A hit batch (FresnelWire.HitBatch), in sequence, without gaps or repeats.
    case found(WireFound, payload: [UInt8])
    /// The query ended: exactly once.
    case done(WireDone)
    /// The same, and its changes follow until it is cancelled or fails.
    case following(WireDone)
    /// Changes of a followed answer; without an end.
    case changes(WireChanges, payload: [UInt8])
    /// The batch ended.
    case written(WirePutAck)
    /// The client state.
    case state(WireClientState)
    /// The cluster's status.
    case status(WireStatusReply)
    /// What moves between workers.
    case planned(WirePlanReply)
    /// An index or an alias is made or removed.
    case indexesChanged(WireIndexesChanged)
    /// The copy is in the store, or the index is made.
    case copied(WireSnapshotDone)
    /// The request failed for good; nothing more follows.
    case failed(WireFailure)
}
