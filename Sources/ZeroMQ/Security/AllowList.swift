/// Which keys may enter which domain; an immutable value that is replaced as a whole.
package struct AllowList: Hashable, Sendable {
    /// The keys that may enter, by domain.
    package var allowed: [String: Set<CurveKey>]
    /// Keys that may enter nowhere any more, whatever `allowed` says.
    package var revoked: Set<CurveKey>

    package init(allowed: [String: Set<CurveKey>] = [:], revoked: Set<CurveKey> = []) {
        self.allowed = allowed
        self.revoked = revoked
    }

    /// The answer to one request.
    package func verdict(on request: AuthenticationRequest) -> AuthenticationVerdict {
        guard case .curve(let key) = request.credentials else {
            return .refused("only CURVE is accepted here")
        }
        guard !revoked.contains(key) else { return .refused("this key was revoked") }
        guard let keys = allowed[request.domain], keys.contains(key) else {
            return .later("this key is not known in domain \(request.domain)")
        }
        return .accepted(user: key.description)
    }
}

/// How a request to authenticate is answered.
package enum AuthenticationVerdict: Hashable, Sendable {
    /// 200: the peer may enter, and its messages carry this name.
    case accepted(user: String)
    /// 300: not now; the peer tries again at its reconnect interval.
    case later(String)
    /// 400: never; libzmq's peer stops connecting for good.
    case refused(String)

    /// The three digits on the wire.
    package var status: String {
        switch self {
        case .accepted: "200"
        case .later: "300"
        case .refused: "400"
        }
    }
}
