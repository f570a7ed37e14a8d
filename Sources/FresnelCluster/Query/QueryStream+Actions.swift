import FresnelWire

extension QueryStream.Action {
    /// The same, with the client it is for.
    func addressed(to client: SessionID) -> QueryTable.Action {
        switch self {
        case .toWorker(let worker, let message): .toWorker(worker, message)
        case .toClient(let message): .toClient(client, message)
        }
    }

    /// Whether this tells that an answer is complete.
    var isComplete: Bool {
        guard case .toClient(let message) = self, case .done(let done) = message.command else {
            return false
        }
        return done.complete
    }
}
