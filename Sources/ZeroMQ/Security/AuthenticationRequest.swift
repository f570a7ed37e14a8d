// ZeroMQ RFC 27 (ZAP): libzmq asks for each handshake, over inproc, in one message of frames
// (version, request id, domain, address, identity, mechanism, credentials …), and gets
// (version, request id, status code, status text, user id, metadata).

/// One question of libzmq about a peer that wants to enter.
package struct AuthenticationRequest: Hashable, Sendable {
    /// What the peer showed.
    package enum Credentials: Hashable, Sendable {
        case curve(CurveKey)
        /// A mechanism without a key: NULL or PLAIN.
        case other(mechanism: String)
    }

    /// Returned in the answer.
    package let requestID: [UInt8]
    package let domain: String
    /// Of the peer, without a port.
    package let address: String
    package let credentials: Credentials

    package init(
        requestID: [UInt8], domain: String, address: String, credentials: Credentials
    ) {
        self.requestID = requestID
        self.domain = domain
        self.address = address
        self.credentials = credentials
    }

    static let version = Array("1.0".utf8)
    /// Six frames and at most two credentials.
    static let maximumFrames = 8

    /// Reads the frames of a request; nil when they are none of version 1.0.
    package init?(frames: [[UInt8]]) {
        guard frames.count >= 6, frames[0] == Self.version else { return nil }
        let mechanism = String(decoding: frames[5], as: UTF8.self)
        if mechanism == "CURVE" {
            // A wrong length is no request: libzmq always passes the 32 bytes it has checked.
            guard frames.count == 7, let key = try? CurveKey(bytes: frames[6]) else { return nil }
            credentials = .curve(key)
        } else {
            credentials = .other(mechanism: mechanism)
        }
        requestID = frames[1]
        domain = String(decoding: frames[2], as: UTF8.self)
        address = String(decoding: frames[3], as: UTF8.self)
    }
}

extension AuthenticationVerdict {
    /// The frames of the answer.
    func frames(for requestID: [UInt8]) -> [FrameBytes] {
        let text: String
        var user = ""
        switch self {
        case .accepted(let name):
            text = "OK"
            user = name
        case .later(let reason), .refused(let reason):
            text = reason
        }
        return [
            .array(AuthenticationRequest.version), .array(requestID), .array(Array(status.utf8)),
            .array(Array(text.utf8)), .array(Array(user.utf8)), [],
        ]
    }
}
