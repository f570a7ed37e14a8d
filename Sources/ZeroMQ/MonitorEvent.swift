import CZeroMQ

/// Something that happened to a connection: for counters, logs and tests, never for decisions.
///
/// Events name an endpoint and never a routing id, so no session can be found by them.
package struct MonitorEvent: Hashable, Sendable {
    /// Which events, one bit each.
    package struct Kinds: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        package static let connected = Kinds(rawValue: UInt16(ZMQ_EVENT_CONNECTED))
        package static let connectRetried = Kinds(rawValue: UInt16(ZMQ_EVENT_CONNECT_RETRIED))
        package static let accepted = Kinds(rawValue: UInt16(ZMQ_EVENT_ACCEPTED))
        package static let acceptFailed = Kinds(rawValue: UInt16(ZMQ_EVENT_ACCEPT_FAILED))
        package static let disconnected = Kinds(rawValue: UInt16(ZMQ_EVENT_DISCONNECTED))
        package static let handshakeSucceeded = Kinds(
            rawValue: UInt16(ZMQ_EVENT_HANDSHAKE_SUCCEEDED))
        package static let handshakeFailed = Kinds(
            rawValue: UInt16(
                ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL))
        /// `value` is the status code of the authentication handler.
        package static let authenticationFailed = Kinds(
            rawValue: UInt16(ZMQ_EVENT_HANDSHAKE_FAILED_AUTH))
    }

    package let kind: Kinds
    /// A file descriptor, an error number, a delay or a status code, depending on the kind.
    package let value: UInt32
    package let endpoint: String

    /// Reads a message of a monitor's socket; nil when it is none.
    package init?(_ message: ReceivedMessage) {
        guard message.frames.count == 2 else { return nil }
        let head = message.frames[0].copyBytes()
        guard head.count == 6 else { return nil }
        // libzmq writes these in the host's order, which is little endian on all our machines.
        kind = Kinds(rawValue: UInt16(head[0]) | UInt16(head[1]) << 8)
        value = head[2..<6].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        endpoint = String(decoding: message.frames[1].copyBytes(), as: UTF8.self)
    }
}
