import Glibc

/// A connection that speaks no protocol: bytes as a stranger would send them.
struct RawConnection: ~Copyable {
    private let descriptor: Int32

    /// Connects to `tcp://127.0.0.1:port` or `ipc://path`; nil when nobody listens.
    init?(_ endpoint: String) {
        let isLocal = endpoint.hasPrefix("ipc://")
        let made = socket(isLocal ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard isLocal ? Self.connect(made, path: endpoint) : Self.connect(made, port: endpoint)
        else {
            close(made)
            return nil
        }
        descriptor = made
    }

    deinit { close(descriptor) }

    /// Sends what fits; a peer that has hung up already is fine.
    borrowing func send(_ bytes: [UInt8]) {
        // The array outlives the call; MSG_NOSIGNAL keeps a broken pipe from ending the tests.
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    private static func connect(_ descriptor: Int32, path endpoint: String) -> Bool {
        let path = Array(endpoint.dropFirst(6).utf8)
        guard path.count < 108 else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path fits, and zeros follow it.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        return connect(descriptor, &address)
    }

    private static func connect(_ descriptor: Int32, port endpoint: String) -> Bool {
        guard let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            return false
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return connect(descriptor, &address)
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
        // The structure is one of those that the kernel knows for the socket's family.
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            let size = socklen_t(MemoryLayout<Address>.size)
            return unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, size) == 0
            }
        }
    }
}
