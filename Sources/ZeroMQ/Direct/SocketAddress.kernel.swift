import Glibc

/// An endpoint as the kernel takes it: a number of TCP, or a path.
@safe
struct SocketAddress {
    let family: Int32
    /// Room for every family's structure; the first `length` bytes count.
    private let storage: sockaddr_storage
    private let length: socklen_t

    /// Nil for what has to be looked up by name, and for places inside the process.
    init?(_ endpoint: Endpoint) {
        switch endpoint.transport {
        case .inproc: return nil
        case .ipc(let path): self.init(path: Array(path.utf8))
        case .tcp(let host, let port):
            let numeric = host == "localhost" ? "127.0.0.1" : host == "*" ? "0.0.0.0" : host
            if numeric.hasPrefix("[") {
                self.init(version6: String(numeric.dropFirst().dropLast()), port: port ?? 0)
            } else {
                self.init(version4: numeric, port: port ?? 0)
            }
        }
    }

    private init?(version4 text: String, port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        // The text is read during the call, which writes four bytes.
        guard unsafe inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
        family = AF_INET
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
        storage = unsafe Self.stored(&address, MemoryLayout<sockaddr_in>.size)
    }

    private init?(version6 text: String, port: UInt16) {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        // The text is read during the call, which writes sixteen bytes.
        guard unsafe inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return nil }
        family = AF_INET6
        length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        storage = unsafe Self.stored(&address, MemoryLayout<sockaddr_in6>.size)
    }

    private init(path: [UInt8]) {
        precondition(path.count <= Endpoint.maximumPathBytes, "a path of \(path.count) bytes")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // "@" stands for the abstract space, whose names begin with zero and end with the length.
        let isAbstract = path.first == UInt8(ascii: "@")
        let name = isAbstract ? [0] + path.dropFirst() : path + [0]
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            // The path and its zero have at most 108 bytes, as `sun_path` has.
            unsafe target.copyBytes(from: name)
        }
        let nameOffset = MemoryLayout<sa_family_t>.size
        family = AF_UNIX
        length = socklen_t(nameOffset + name.count)
        storage = unsafe Self.stored(&address, MemoryLayout<sockaddr_un>.size)
    }

    private static func stored(
        _ address: UnsafeRawPointer, _ count: Int
    ) -> sockaddr_storage {
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { target in
            // Every family's structure fits, and `address` has `count` bytes.
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
        }
        return storage
    }

    /// Binds or connects a descriptor; returns what the call returns.
    func apply(_ call: SocketCall, to descriptor: Int32) -> Int32 {
        unsafe withUnsafePointer(to: storage) { pointer in
            // A `sockaddr_storage` is made to be read as any family's address.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                switch call {
                case .bind: unsafe bind(descriptor, address, length)
                case .connect: unsafe connect(descriptor, address, length)
                }
            }
        }
    }

    enum SocketCall { case bind, connect }

    /// Where the other end of a connection is.
    static func origin(of descriptor: Int32) -> PeerOrigin {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            // The call writes at most `length` bytes.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getpeername(descriptor, address, &length)
            }
        }
        // One that is gone by now will be read to its end.
        guard status == 0 else { return .path }
        return unsafe withUnsafeBytes(of: storage) { bytes in
            // The address stands behind family and port, of IPv6 behind the flow too.
            switch Int32(storage.ss_family) {
            case AF_INET: unsafe PeerOrigin(address: Array(bytes[4..<8]))
            case AF_INET6: unsafe PeerOrigin(address: Array(bytes[8..<24]))
            default: .path
            }
        }
    }

    /// Both ends of a TCP connection as ports, to see one that met itself; nil elsewhere.
    static func ports(of descriptor: Int32) -> (own: UInt16, other: UInt16)? {
        guard let own = port(of: descriptor, isOwn: true),
            let other = port(of: descriptor, isOwn: false)
        else { return nil }
        return (own, other)
    }

    /// The port of one end of a TCP connection or of a listener.
    static func port(of descriptor: Int32, isOwn: Bool) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            // The call writes at most `length` bytes.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                isOwn
                    ? unsafe getsockname(descriptor, address, &length)
                    : unsafe getpeername(descriptor, address, &length)
            }
        }
        guard status == 0 else { return nil }
        return unsafe withUnsafeBytes(of: storage) { bytes in
            // Both families of TCP have the port behind the family, in network order.
            switch Int32(storage.ss_family) {
            case AF_INET, AF_INET6: unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            default: nil
            }
        }
    }
}
