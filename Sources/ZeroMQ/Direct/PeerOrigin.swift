/// Where the other end of a connection is, as far as strangers are counted by it.
package enum PeerOrigin: Hashable, Sendable {
    /// A process of this machine, over a path.
    case path
    /// A process of this machine, over TCP.
    case loopback
    /// An address of IPv4.
    case ipv4(UInt32)
    /// The first half of an address of IPv6: a single house owns the other one.
    case ipv6(UInt64)

    /// Whether the peer runs on this machine.
    package var isThisMachine: Bool {
        switch self {
        case .path, .loopback: true
        case .ipv4, .ipv6: false
        }
    }

    /// - Parameter bytes: 4 of IPv4 or 16 of IPv6, in network order; others are of no network.
    init(address bytes: [UInt8]) {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        switch bytes.count {
        case 4 where bytes[0] == 127: self = .loopback
        case 4: self = .ipv4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16 where Array(bytes[..<12]) == mapped: self.init(address: Array(bytes[12...]))
        case 16 where bytes.dropLast().allSatisfy({ $0 == 0 }) && bytes[15] == 1: self = .loopback
        case 16: self = .ipv6(bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
        default: self = .path
        }
    }
}

extension PeerOrigin: CustomStringConvertible {
    package var description: String {
        switch self {
        case .path: return "a path of this machine"
        case .loopback: return "127.0.0.1"
        case .ipv4(let address):
            return [24, 16, 8, 0].map { String(address >> $0 & 255) }.joined(separator: ".")
        case .ipv6(let prefix):
            let groups = [48, 32, 16, 0].map { String(prefix >> UInt64($0) & 0xFFFF, radix: 16) }
            return groups.joined(separator: ":") + "::/64"
        }
    }
}
