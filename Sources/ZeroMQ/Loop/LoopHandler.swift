/// What a socket thread does with what arrives.
///
/// A handler is made on its thread and stays there: it may hold sockets, state and a core without
/// locks. An error that a method throws ends the loop; `SendOutcome` is no error.
package protocol LoopHandler: AnyObject, SendableMetatype {
    /// What other threads post.
    associatedtype Mail: Sendable

    /// Whether what was posted before the stop is handed over all the same, as what must be on
    /// disk is; false by default.
    var takesMailAtStop: Bool { get }

    /// A whole message arrived.
    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError)

    /// Another thread posted something.
    func receive(_ mail: Mail) throws(ZeroMQError)

    /// All input of this turn is handed over: run what is due, and send.
    ///
    /// - Returns: how long the loop may sleep before the next turn; nil until something arrives.
    func finishTurn() throws(ZeroMQError) -> Duration?

    /// The loop was asked to stop: the last chance to send.
    func stop() throws(ZeroMQError)
}

extension LoopHandler {
    package var takesMailAtStop: Bool { false }
}
