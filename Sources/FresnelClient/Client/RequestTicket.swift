import FresnelSession

/// A request on its way to the connection's thread, and its place there.
///
/// Whoever drops it, a full mailbox or a loop that ended, ends the request with an error: so every
/// caller is answered, whatever happens to the thread.
final class RequestTicket: Sendable {
    let id: RequestID
    let event: ClientEvent
    let sink: any NoticeSink

    init(_ id: RequestID, _ event: ClientEvent, sink: any NoticeSink) {
        self.id = id
        self.event = event
        self.sink = sink
    }

    deinit {
        sink.fail(
            SearchError(
                .remoteConnectionError,
                "the client was closed before the answer came; connect again"))
    }
}
