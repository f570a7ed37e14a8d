/// A place to bind or connect to, checked for its form.
package struct Endpoint: Hashable, Sendable {
    /// The part before and after `://`, taken apart.
    package enum Transport: Hashable, Sendable {
        /// `port` is nil where the system shall choose one (`*` or `0`).
        case tcp(host: String, port: UInt16?)
        /// A path in the file system, or `@name` for the abstract space.
        case ipc(path: String)
        /// A name inside the process.
        case inproc(name: String)
    }

    package let transport: Transport

    /// The most bytes of an ipc path, from the size of the kernel's address structure.
    package static let maximumPathBytes = 107

    package init(_ transport: Transport) {
        self.transport = transport
    }

    /// Parses `tcp://host:port`, `ipc://path` or `inproc://name`.
    ///
    /// An IPv6 host stands in brackets. Port `*` or `0` lets the system choose, and host `*` binds
    /// to all interfaces.
    package init(_ text: String) throws(ZeroMQError) {
        let halves = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else {
            throw .invalidEndpoint(text, reason: "there is no \"://\" in it")
        }
        let rest = String(halves[1])
        guard !rest.isEmpty else {
            throw .invalidEndpoint(text, reason: "nothing follows \"://\"")
        }
        // A path may have any byte but zero: blanks, too, are names that directories have.
        let isAllowed: (UInt8) -> Bool =
            halves[0] == "ipc" ? { $0 != 0 } : { $0 > 0x20 && $0 != 0x7F }
        guard rest.utf8.allSatisfy(isAllowed) else {
            throw .invalidEndpoint(text, reason: "it has a blank or a control character")
        }
        switch halves[0] {
        case "tcp":
            transport = try Self.tcp(rest, in: text)
        case "ipc":
            guard rest.utf8.count <= Self.maximumPathBytes else {
                throw .invalidEndpoint(
                    text, reason: "its path is longer than \(Self.maximumPathBytes) bytes")
            }
            transport = .ipc(path: rest)
        case "inproc":
            transport = .inproc(name: rest)
        default:
            throw .invalidEndpoint(text, reason: "transport \"\(halves[0])\" is unknown")
        }
    }

    private static func tcp(_ rest: String, in text: String) throws(ZeroMQError) -> Transport {
        guard let colon = rest.lastIndex(of: ":") else {
            throw .invalidEndpoint(text, reason: "the port is missing")
        }
        let host = String(rest[..<colon])
        let digits = rest[rest.index(after: colon)...]
        guard isHost(host) else {
            throw .invalidEndpoint(text, reason: "\"\(host)\" is no host")
        }
        if digits == "*" { return .tcp(host: host, port: nil) }
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let port = UInt16(digits) else {
            throw .invalidEndpoint(text, reason: "\"\(digits)\" is no port from 0 to 65535")
        }
        return .tcp(host: host, port: port == 0 ? nil : port)
    }

    /// The endpoint that a text without a transport, or with that of another protocol, may mean.
    ///
    /// - Returns: nil where its host or its port is none either.
    static func meant(by text: String) -> Endpoint? {
        let halves = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = halves.last?.prefix(while: { $0 != "/" }) else { return nil }
        // A text that is no endpoint either means none.
        return try? Endpoint("tcp://\(address)")
    }

    private static func isHost(_ host: String) -> Bool {
        guard !host.isEmpty else { return false }
        if host.hasPrefix("[") { return host.hasSuffix("]") && host.utf8.count > 2 }
        return !host.utf8.contains { ":[]/;".utf8.contains($0) }
    }

    /// Whether only this host can reach it, so that encryption protects nothing.
    ///
    /// A host name counts only as `localhost`: others are resolved later, by whom nobody knows.
    package var isLoopback: Bool {
        switch transport {
        case .ipc, .inproc: true
        case .tcp(let host, _): Self.isLoopback(host: host)
        }
    }

    private static func isLoopback(host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension Endpoint {
    /// The text that libzmq takes to connect.
    ///
    /// On the loopback it names the own address, with any port. libzmq then lets that port be
    /// listened on while the connection is there, or was: whoever tries again and again to reach a
    /// port that the system gives to outgoing connections may be given that port as its own, be
    /// connected to itself, and would keep the listener away.
    var outgoing: String {
        guard case .tcp(let host, let port?) = transport, isLoopback else { return description }
        let own = host == "localhost" ? "127.0.0.1" : host
        return "tcp://\(own):0;\(host):\(port)"
    }
}

extension Endpoint: CustomStringConvertible {
    /// The text that libzmq takes.
    package var description: String {
        switch transport {
        case .tcp(let host, let port):
            "tcp://\(host):\(port.map { String($0) } ?? "*")"
        case .ipc(let path): "ipc://\(path)"
        case .inproc(let name): "inproc://\(name)"
        }
    }
}
