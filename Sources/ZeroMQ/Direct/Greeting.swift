/// The first 64 bytes of a connection in either direction: "I speak ZMTP 3.1 without encryption".
///
/// Source: ZeroMQ RFC 37 (ZMTP 3.1), section "Greeting".
enum Greeting {
    static let count = 64

    /// What we say.
    static let bytes: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes[0] = 0xFF
        bytes[9] = 0x7F
        bytes[versionPlace] = 3
        bytes[versionPlace + 1] = 1
        bytes.replaceSubrange(mechanismPlaces.prefix(mechanism.count), with: mechanism)
        return bytes
    }()

    private static let versionPlace = 10
    private static let mechanismPlaces = 12..<32
    private static let mechanism = Array("NULL".utf8)

    /// Refuses what a peer said so far as soon as it cannot become a greeting of ours.
    ///
    /// - Parameter bytes: 1 to 64 of them.
    static func check(_ bytes: [UInt8]) throws(PeerViolation) {
        guard bytes[0] == 0xFF else { throw .noGreeting }
        // The signature's last byte has its lowest bit set; older peers send a frame's flags here.
        if bytes.count > 9 {
            guard bytes[9] & 1 == 1 else { throw .noGreeting }
        }
        if bytes.count > versionPlace {
            guard bytes[versionPlace] >= 3 else { throw .version(bytes[versionPlace]) }
        }
        if bytes.count >= mechanismPlaces.upperBound {
            let padding = [UInt8](repeating: 0, count: mechanismPlaces.count - mechanism.count)
            guard Array(bytes[mechanismPlaces]) == mechanism + padding else { throw .mechanism }
        }
    }
}
