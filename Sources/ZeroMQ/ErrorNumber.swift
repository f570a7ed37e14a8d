import CZeroMQ
import Glibc

/// A number that the system or libzmq left in `errno`.
package struct ErrorNumber: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let wouldBlock = ErrorNumber(rawValue: EAGAIN)
    package static let interrupted = ErrorNumber(rawValue: EINTR)
    package static let hostUnreachable = ErrorNumber(rawValue: EHOSTUNREACH)
    package static let addressInUse = ErrorNumber(rawValue: EADDRINUSE)
    package static let addressNotAvailable = ErrorNumber(rawValue: EADDRNOTAVAIL)
    package static let noSuchDevice = ErrorNumber(rawValue: ENODEV)
    package static let invalid = ErrorNumber(rawValue: EINVAL)
    package static let noSuchEntry = ErrorNumber(rawValue: ENOENT)
    package static let tooManyFiles = ErrorNumber(rawValue: EMFILE)
    package static let tooManyFilesInSystem = ErrorNumber(rawValue: ENFILE)
    package static let permissionDenied = ErrorNumber(rawValue: EACCES)
    package static let connectionRefused = ErrorNumber(rawValue: ECONNREFUSED)
    package static let nameTooLong = ErrorNumber(rawValue: ENAMETOOLONG)
    package static let protocolNotSupported = ErrorNumber(rawValue: EPROTONOSUPPORT)
    package static let noMemory = ErrorNumber(rawValue: ENOMEM)
    package static let notASocket = ErrorNumber(rawValue: ENOTSOCK)
    package static let fault = ErrorNumber(rawValue: EFAULT)
    /// The context was shut down; the thread should close its sockets and end.
    package static let terminated = ErrorNumber(rawValue: fresnel_zmq_eterm())
    /// The socket is in a state that does not allow the call.
    package static let wrongState = ErrorNumber(rawValue: fresnel_zmq_efsm())
    /// No I/O thread of the context may serve the endpoint.
    package static let noThread = ErrorNumber(rawValue: fresnel_zmq_emthread())
    /// The transport does not fit the kind of socket.
    package static let incompatibleProtocol = ErrorNumber(rawValue: fresnel_zmq_enocompatproto())
}

extension ErrorNumber: CustomStringConvertible {
    private static let names: [ErrorNumber: String] = [
        .wouldBlock: "EAGAIN", .interrupted: "EINTR", .hostUnreachable: "EHOSTUNREACH",
        .addressInUse: "EADDRINUSE", .addressNotAvailable: "EADDRNOTAVAIL",
        .noSuchDevice: "ENODEV", .invalid: "EINVAL", .noSuchEntry: "ENOENT",
        .tooManyFiles: "EMFILE", .tooManyFilesInSystem: "ENFILE", .permissionDenied: "EACCES",
        .connectionRefused: "ECONNREFUSED", .nameTooLong: "ENAMETOOLONG",
        .protocolNotSupported: "EPROTONOSUPPORT", .noMemory: "ENOMEM", .notASocket: "ENOTSOCK",
        .fault: "EFAULT", .terminated: "ETERM", .wrongState: "EFSM", .noThread: "EMTHREAD",
        .incompatibleProtocol: "ENOCOMPATPROTO",
    ]

    /// The name in the manual pages, or the number where this list has none.
    package var description: String { Self.names[self] ?? "errno \(rawValue)" }
}
