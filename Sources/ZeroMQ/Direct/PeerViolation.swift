/// Why a connection is ended: the peer broke ZMTP, or said nothing for too long.
enum PeerViolation: Error, Hashable, Sendable {
    /// Its first bytes are no greeting: another protocol, or ZMTP before 3.0.
    case noGreeting
    /// It speaks an older major version.
    case version(UInt8)
    /// It wants encryption or passwords, or wants none where we want them.
    case mechanism
    /// It is a socket that does not talk to ours.
    case socketType(String)
    /// Its READY cannot be read.
    case handshake
    /// Flags that no frame has.
    case flags(UInt8)
    /// A frame above the limit.
    case frameBytes(UInt64)
    /// A message above the limit, by all its frames so far.
    case messageBytes(Int)
    /// A command that is too short for what it says, or in the middle of a message.
    case command
    /// It refused us, with its reason.
    case refused(String)
    /// It did not introduce itself, or did not answer, in time.
    case silent
}
