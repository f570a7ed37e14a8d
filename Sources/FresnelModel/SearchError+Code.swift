extension SearchError {
    /// The kind of a failure; the set can grow, so compare with the constants.
    ///
    /// Negative codes are Core Spotlight's (reference §3.4, §4.2). Of ours, 3xx mean "try again
    /// later", 4xx "the caller must change something", 5xx "the cluster is at fault".
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: Int32
        /// Makes a code from its number.
        public init(rawValue: Int32) { self.rawValue = rawValue }
    }
}

extension SearchError.Code {
    /// An index failed in a way that has no code of its own.
    public static let unknownIndexError = Self(rawValue: -1)
    /// The index cannot be used at present.
    public static let indexUnavailable = Self(rawValue: -1000)
    /// A document or custom key is not valid.
    public static let invalidItem = Self(rawValue: -1001)
    /// A client state is too long.
    public static let invalidClientState = Self(rawValue: -1002)
    /// The connection to the cluster failed.
    public static let remoteConnection = Self(rawValue: -1003)
    /// A limit or quota is exceeded; the message has the number.
    public static let quotaExceeded = Self(rawValue: -1004)
    /// This process cannot index.
    public static let indexingUnsupported = Self(rawValue: -1005)
    /// The stored client state is not the expected one.
    public static let mismatchedClientState = Self(rawValue: -1006)

    /// A query failed in a way that has no code of its own.
    public static let unknownQueryError = Self(rawValue: -2000)
    /// No worker could answer.
    public static let indexUnreachable = Self(rawValue: -2001)
    /// The query is malformed; `offset` has the position.
    public static let invalidQuery = Self(rawValue: -2002)
    /// The query was cancelled.
    public static let cancelled = Self(rawValue: -2003)

    /// The cluster has as much work as it may have.
    public static let busy = Self(rawValue: 300)
    /// Shards are opening or moving.
    public static let recovering = Self(rawValue: 301)
    /// The request was routed by a map that is out of date.
    public static let staleEpoch = Self(rawValue: 302)
    /// A worker was lost while it had the request.
    public static let workerLost = Self(rawValue: 303)

    /// The request does not make sense.
    public static let invalidRequest = Self(rawValue: 400)
    /// The peer did not prove who it is.
    public static let unauthenticated = Self(rawValue: 401)
    /// The role of the peer does not allow the request.
    public static let forbidden = Self(rawValue: 403)
    /// The named index or document does not exist.
    public static let notFound = Self(rawValue: 404)
    /// The budget of the request ran out.
    public static let deadlineExceeded = Self(rawValue: 408)
    /// The request contradicts what is stored.
    public static let conflict = Self(rawValue: 409)
    /// The message breaks the wire protocol.
    public static let malformedMessage = Self(rawValue: 422)
    /// The peers have no protocol version in common.
    public static let unsupportedVersion = Self(rawValue: 426)

    /// A defect of the cluster.
    public static let internalFailure = Self(rawValue: 500)
    /// Stored bytes are damaged.
    public static let damaged = Self(rawValue: 501)
    /// The disk is full.
    public static let diskFull = Self(rawValue: 507)

    /// Whether the same request usually succeeds later.
    public var isUsuallyRetriable: Bool {
        switch self {
        case .indexUnavailable, .remoteConnection, .indexUnreachable, .deadlineExceeded, .diskFull:
            true
        default: (300..<400).contains(rawValue)
        }
    }
}

extension SearchError.Code: CaseIterable {
    /// The codes this version knows, by name.
    public static let allNames: [(code: SearchError.Code, name: String)] = [
        (.unknownIndexError, "unknownIndexError"), (.indexUnavailable, "indexUnavailable"),
        (.invalidItem, "invalidItem"), (.invalidClientState, "invalidClientState"),
        (.remoteConnection, "remoteConnection"), (.quotaExceeded, "quotaExceeded"),
        (.indexingUnsupported, "indexingUnsupported"),
        (.mismatchedClientState, "mismatchedClientState"),
        (.unknownQueryError, "unknownQueryError"), (.indexUnreachable, "indexUnreachable"),
        (.invalidQuery, "invalidQuery"), (.cancelled, "cancelled"), (.busy, "busy"),
        (.recovering, "recovering"), (.staleEpoch, "staleEpoch"), (.workerLost, "workerLost"),
        (.invalidRequest, "invalidRequest"), (.unauthenticated, "unauthenticated"),
        (.forbidden, "forbidden"), (.notFound, "notFound"),
        (.deadlineExceeded, "deadlineExceeded"), (.conflict, "conflict"),
        (.malformedMessage, "malformedMessage"), (.unsupportedVersion, "unsupportedVersion"),
        (.internalFailure, "internalFailure"), (.damaged, "damaged"), (.diskFull, "diskFull"),
    ]

    /// The codes this version knows.
    public static var allCases: [SearchError.Code] { allNames.map(\.code) }
}

extension SearchError.Code: CustomStringConvertible {
    /// The name with the number, or the number alone when this version does not know it.
    public var description: String {
        let name = Self.allNames.first { $0.code == self }?.name
        return name.map { "\($0), \(rawValue)" } ?? "code \(rawValue)"
    }
}
