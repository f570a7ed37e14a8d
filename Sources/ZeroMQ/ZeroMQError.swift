import CZeroMQ

/// What can go wrong with sockets; each text names the call, its object and the remedy.
package enum ZeroMQError: Error, Hashable, Sendable {
    /// A call of libzmq or of the system failed.
    case call(String, ErrorNumber, subject: String)
    /// libzmq refused to set an option.
    case optionRefused(option: String, wanted: String, ErrorNumber)
    /// libzmq accepted an option but reads back something else.
    case optionDiffers(option: String, wanted: String, found: String)
    /// A specification contradicts itself.
    case invalidSpecification(String)
    /// Text that is no endpoint.
    case invalidEndpoint(String, reason: String)
    /// Something is where a socket should listen, and must not be removed.
    case occupied(Endpoint, String)
    /// Text that is no CURVE key.
    case invalidKey(reason: String)
    /// A multipart message ended before its last frame, which libzmq promises never happens.
    case incompleteMessage(frames: Int)
    /// The authentication handler let a stranger in or kept a friend out.
    case authenticationBroken(String)

    /// Whether the context was shut down: the orderly end of a thread.
    package var isTermination: Bool {
        if case .call(_, .terminated, _) = self { return true }
        return false
    }

    /// The error that the last call on this thread left behind.
    static func last(_ call: String, _ subject: String = "") -> ZeroMQError {
        .call(call, ErrorNumber(rawValue: zmq_errno()), subject: subject)
    }
}

extension ZeroMQError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .call(let call, let number, let subject):
            let object = subject.isEmpty ? "" : " on \(subject)"
            return "\(call)\(object) failed with \(number): \(Self.advice(for: number))"
        case .optionRefused(let option, let wanted, let number):
            return """
                libzmq refused \(option) = \(wanted) with \(number); check the value, and that \
                the installed libzmq is 4.3.4 or newer and was built with CURVE
                """
        case .optionDiffers(let option, let wanted, let found):
            return """
                libzmq took \(option) = \(wanted) but reports \(found); the installed version \
                behaves differently, run the tests named as quirks against it
                """
        case .invalidSpecification(let sentence):
            return "the socket specification contradicts itself: \(sentence)"
        case .invalidEndpoint(let text, let reason):
            let advice =
                Endpoint.meant(by: text).map { "did you mean \($0)" }
                ?? "write tcp://host:port, ipc://path or inproc://name"
            return "\"\(text)\" is no endpoint: \(reason); \(advice)"
        case .occupied(let endpoint, let reason):
            return "\(endpoint): \(reason)"
        case .invalidKey(let reason):
            return "not a CURVE key: \(reason); a key is 40 characters of Z85"
        case .incompleteMessage(let frames):
            return """
                a multipart message ended after \(frames) frames without its last one; \
                close the socket and connect anew
                """
        case .authenticationBroken(let sentence):
            return "the authentication self-test failed: \(sentence); do not open the endpoint"
        }
    }

    private static func advice(for number: ErrorNumber) -> String {
        switch number {
        case .addressInUse:
            "another process listens there; stop it or choose another port"
        case .addressNotAvailable, .noSuchDevice:
            "this host has no such address; bind to one that `ip address` lists"
        case .permissionDenied:
            "the user may not use this port or path; choose a port above 1023 or fix the mode"
        case .tooManyFiles, .tooManyFilesInSystem:
            "no file descriptors left; raise `ulimit -n` or close connections"
        case .noSuchEntry:
            "nobody is bound to it, or the option does not exist"
        case .nameTooLong:
            "the path is too long for a socket; use one of at most 107 bytes"
        case .terminated:
            "the context was shut down; close the socket and end the thread"
        case .protocolNotSupported, .incompatibleProtocol:
            "this libzmq does not offer the transport; use tcp, ipc or inproc"
        case .noThread:
            "no I/O thread may serve it; check the affinity against the number of I/O threads"
        case .noMemory:
            "no memory left; lower the queue limits or give the process more"
        case .wrongState:
            "a request must be received before the reply is sent"
        case .invalid:
            "the argument is out of range or the endpoint malformed; check its spelling"
        default:
            "see the manual page of the call"
        }
    }
}
