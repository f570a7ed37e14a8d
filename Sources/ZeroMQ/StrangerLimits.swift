/// What a connection may do before the owner of its listener confirms it, and how many such there
/// may be.
///
/// Only sockets that this room serves itself keep to it; libzmq has no such limits.
package struct StrangerLimits: Hashable, Sendable {
    /// Bytes of one message, in all its frames.
    package var messageBytes: Int
    /// From the connection to its confirmation.
    package var patience: Duration
    /// Of one listener at once.
    package var connections: Int
    /// Of one address at once; of IPv6 the first half of it counts.
    package var connectionsPerOrigin: Int
    /// Descriptors of the process that a connection from another machine leaves free.
    package var freeDescriptors: Int
    /// Descriptors of the process that a connection from this machine leaves free.
    package var freeDescriptorsHere: Int

    package init(
        messageBytes: Int, patience: Duration, connections: Int, connectionsPerOrigin: Int,
        freeDescriptors: (remote: Int, here: Int)
    ) {
        self.messageBytes = messageBytes
        self.patience = patience
        self.connections = connections
        self.connectionsPerOrigin = connectionsPerOrigin
        self.freeDescriptors = freeDescriptors.remote
        freeDescriptorsHere = freeDescriptors.here
    }
}
