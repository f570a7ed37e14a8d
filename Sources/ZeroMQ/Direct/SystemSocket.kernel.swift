import CZeroMQ
import Glibc

/// A socket of the operating system that never waits; closed with its last reference.
@safe
final class SystemSocket {
    let descriptor: Int32
    /// A file that is removed with the listener, unless another one is there by then.
    private var file: (path: String, inode: UInt)?

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        close(descriptor)
        // Nobody shall connect to a file without a listener.
        if let file, Self.inode(of: file.path) == file.inode { _ = unsafe unlink(file.path) }
    }

    private static func inode(of path: String) -> UInt? {
        var status = stat()
        // The path is read and the structure written during the call.
        return unsafe stat(path, &status) == 0 ? UInt(status.st_ino) : nil
    }

    /// What a read brought.
    enum Reading { case bytes(Int), nothing, ended }
    /// How many bytes the system took: none when its buffer is full.
    enum Writing { case bytes(Int), ended }
    /// What stood before the door.
    enum Accepting {
        case socket(SystemSocket)
        case nobody
        /// No descriptor or memory is left for it.
        case exhausted
    }

    /// Listens; returns the endpoint with the port that the system chose.
    static func listen(
        on endpoint: Endpoint, at address: SocketAddress, backlog: Int
    ) throws(ZeroMQError) -> (SystemSocket, Endpoint) {
        var path: String?
        if case .ipc(let name) = endpoint.transport, !name.hasPrefix("@") { path = name }
        let made = SystemSocket(try open(address.family))
        try SocketPath.clear(endpoint)
        if path == nil { made.set(SOL_SOCKET, SO_REUSEADDR, 1) }
        guard address.apply(.bind, to: made.descriptor) == 0,
            Glibc.listen(made.descriptor, Int32(clamping: backlog)) == 0
        else {
            throw .call("bind", ErrorNumber(rawValue: errno), subject: endpoint.description)
        }
        if let path { made.file = inode(of: path).map { (path, $0) } }
        guard case .tcp(let host, _) = endpoint.transport else { return (made, endpoint) }
        let port = SocketAddress.port(of: made.descriptor, isOwn: true)
        let numeric = host == "localhost" ? "127.0.0.1" : host == "*" ? "0.0.0.0" : host
        return (made, Endpoint(.tcp(host: numeric, port: port)))
    }

    /// Begins to connect; nil when that failed at once.
    static func connect(to address: SocketAddress) throws(ZeroMQError) -> SystemSocket? {
        let made = SystemSocket(try open(address.family))
        // One that met itself would keep the listener away from its port for a minute.
        if address.family != AF_UNIX { made.set(SOL_SOCKET, SO_REUSEADDR, 1) }
        let status = address.apply(.connect, to: made.descriptor)
        return status == 0 || errno == EINPROGRESS ? made : nil
    }

    private static func open(_ family: Int32) throws(ZeroMQError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | fresnel_socket_flags()
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else {
            throw .call("socket", ErrorNumber(rawValue: errno), subject: "family \(family)")
        }
        return descriptor
    }

    /// Takes one connection in.
    func accept() -> Accepting {
        // Nobody asks for the peer's address.
        let other = fresnel_accept(descriptor)
        if other >= 0 { return .socket(SystemSocket(other)) }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        default: return .nobody
        }
    }

    /// Whether an attempt to connect has succeeded, after the descriptor became writable.
    var isConnected: Bool {
        var number: Int32 = 0
        var length = socklen_t(4)
        // Four bytes into a local.
        let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
        guard status == 0, number == 0 else { return false }
        // A port that the system gives to outgoing connections can be connected to itself.
        guard let ports = SocketAddress.ports(of: descriptor) else { return true }
        return ports.own != ports.other
    }

    /// Descriptors that the process has left above this one, about: the system gives the smallest.
    var freeDescriptors: Int {
        var limit = rlimit()
        // One structure; the call fails for a wrong pointer only.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 0
        }
        return Int(clamping: limit.rlim_cur) - Int(descriptor) - 1
    }

    /// Reads what is there, as much as the buffer holds or is wanted.
    func read(into buffer: ReceiveBuffer, atMost limit: Int = ReceiveBuffer.count) -> Reading {
        let wanted = min(limit, ReceiveBuffer.count)
        while true {
            // The buffer has that many bytes.
            let count = unsafe recv(descriptor, buffer.start, wanted, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .nothing
            default: return .ended
            }
        }
    }

    /// Writes the rest of some bytes, as much as the system takes.
    ///
    /// - Parameter hasMore: whether others follow at once, so that a short packet can wait.
    func write(_ bytes: [UInt8], from offset: Int, hasMore: Bool) -> Writing {
        let flags = Int32(MSG_NOSIGNAL) | (hasMore ? Int32(MSG_MORE) : 0)
        while true {
            // The kernel copies the bytes during the call.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + offset },
                    buffer.count - offset, flags)
            }
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .bytes(0)
            default: return .ended
            }
        }
    }

    /// Waits until there is room to write, at most for a time.
    func waitForRoom(milliseconds: Int32) {
        var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // One structure; whatever ends the wait, the next write shows what is possible.
        _ = unsafe poll(&item, 1, milliseconds)
    }

    /// Sets what a specification says about connections; refused by other families than TCP.
    func tune(_ specification: SocketSpecification) {
        let tcp = Int32(IPPROTO_TCP)
        set(tcp, TCP_NODELAY, 1)
        if let keepAlive = specification.keepAlive {
            set(SOL_SOCKET, SO_KEEPALIVE, 1)
            set(tcp, TCP_KEEPIDLE, keepAlive.idleSeconds)
            set(tcp, TCP_KEEPINTVL, keepAlive.intervalSeconds)
            set(tcp, TCP_KEEPCNT, keepAlive.count)
        }
        if let timeout = specification.retransmissionTimeout {
            set(tcp, TCP_USER_TIMEOUT, timeout.milliseconds32)
        }
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        // Four bytes of a local; options that a family does not know are refused, and not needed.
        _ = unsafe setsockopt(descriptor, level, option, &value, 4)
    }
}
