extension SearchError {
    /// The kind of a failure; the set can grow, so compare with the constants.
    ///
    /// Negative codes are Core Spotlight's (`CSIndexError`, `CSSearchQueryError`). Of ours, 3xx
    /// mean "try again later", 4xx "the caller must change something", 5xx "the cluster is at
    /// fault". The numbers are those of Documentation/protocol.md, "Error registry"; a test
    /// compares.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: Int32
        /// Makes a code from its number.
        public init(rawValue: Int32) { self.rawValue = rawValue }
    }
}

extension SearchError.Code {
    /// The index failed and does not say why.
    public static let unknownError = Self(rawValue: -1)
    /// The index cannot take writes now.
    public static let indexUnavailable = Self(rawValue: -1000)
    /// The document or patch breaks a rule; the text says which.
    public static let invalidItem = Self(rawValue: -1001)
    /// The client state is longer than 250 bytes.
    public static let invalidClientState = Self(rawValue: -1002)
    /// The cluster cannot be reached.
    public static let remoteConnectionError = Self(rawValue: -1003)
    /// A quota of the index is used up.
    public static let quotaExceeded = Self(rawValue: -1004)
    /// This cluster does not take writes.
    public static let indexingUnsupported = Self(rawValue: -1005)
    /// The stored client state is not the expected one.
    public static let mismatchedClientState = Self(rawValue: -1006)
    /// The query failed and the index does not say why.
    public static let unknownQueryError = Self(rawValue: -2000)
    /// No shard of the index can be searched.
    public static let indexUnreachable = Self(rawValue: -2001)
    /// The query cannot be read; offset and expectation are given.
    public static let invalidQuery = Self(rawValue: -2002)
    /// The query was cancelled.
    public static let cancelled = Self(rawValue: -2003)
    /// Admission is closed; wait as long as told.
    public static let busy = Self(rawValue: 301)
    /// No worker is registered.
    public static let noWorkers = Self(rawValue: 302)
    /// The cluster is starting; its workers are not all back.
    public static let starting = Self(rawValue: 303)
    /// A needed shard has no live replica.
    public static let shardUnavailable = Self(rawValue: 304)
    /// The sender acts on an old configuration; say HELLO again.
    public static let staleEpoch = Self(rawValue: 305)
    /// The stream was ended because its credit did not grow.
    public static let slowConsumer = Self(rawValue: 306)
    /// The time for the request is used up.
    public static let budgetExhausted = Self(rawValue: 307)
    /// Parts before this one are missing in the journal.
    public static let gap = Self(rawValue: 308)
    /// The frames are not a message of this protocol.
    public static let malformedMessage = Self(rawValue: 400)
    /// The verb does not exist in this version.
    public static let unknownVerb = Self(rawValue: 401)
    /// The two sides share no major version.
    public static let unsupportedVersion = Self(rawValue: 402)
    /// A size limit is exceeded; the text names limit and size.
    public static let tooLarge = Self(rawValue: 403)
    /// No index has that name.
    public static let unknownIndex = Self(rawValue: 404)
    /// The message is not allowed now; say HELLO first.
    public static let wrongState = Self(rawValue: 405)
    /// This kind of peer may not send that message.
    public static let wrongRoute = Self(rawValue: 406)
    /// The routing hash does not belong to the document or shard.
    public static let wrongShard = Self(rawValue: 407)
    /// A count limit is exceeded; the text names limit and count.
    public static let tooMany = Self(rawValue: 408)
    /// The batch number was used for another batch, or lies too far back.
    public static let batchNumberReused = Self(rawValue: 409)
    /// A field has a value that its place does not allow.
    public static let invalidArgument = Self(rawValue: 410)
    /// A custom key is declared already with other properties.
    public static let keyMismatch = Self(rawValue: 411)
    /// A newer process carries the same worker name.
    public static let nameTaken = Self(rawValue: 412)
    /// No document of that identifier exists.
    public static let unknownItem = Self(rawValue: 413)
    /// The versions that the cursor reads are merged away; ask again without it.
    public static let cursorExpired = Self(rawValue: 414)
    /// The cursor belongs to another query, or to another index of that name.
    public static let cursorMismatch = Self(rawValue: 415)
    /// No worker of that name is here or holds anything.
    public static let unknownWorker = Self(rawValue: 416)
    /// Without that worker there are fewer workers than copies.
    public static let tooFewWorkers = Self(rawValue: 417)
    /// An index has that name already.
    public static let indexExists = Self(rawValue: 420)
    /// An alias leads to the index.
    public static let indexInUse = Self(rawValue: 421)
    /// The broker does not know what time it is, and what is asked cannot be taken back.
    public static let clockInDoubt = Self(rawValue: 431)
    /// A defect of the cluster; report it.
    public static let internalError = Self(rawValue: 500)
    /// A disk refused to read or write.
    public static let storageFailed = Self(rawValue: 501)
    /// A disk is full; only deletions are accepted.
    public static let diskFull = Self(rawValue: 502)

    /// Whether the same request may succeed later without being changed.
    public var isUsuallyRetriable: Bool {
        Self.retriable.contains(self) || (300..<400).contains(rawValue)
    }

    private static let retriable: Set<SearchError.Code> = [
        .indexUnavailable, .remoteConnectionError, .indexUnreachable, .storageFailed, .diskFull,
    ]
}

extension SearchError.Code: CaseIterable {
    /// The codes this version knows, by name.
    public static let allNames: [(code: SearchError.Code, name: String)] = [
        (.unknownError, "unknownError"),
        (.indexUnavailable, "indexUnavailable"),
        (.invalidItem, "invalidItem"),
        (.invalidClientState, "invalidClientState"),
        (.remoteConnectionError, "remoteConnectionError"),
        (.quotaExceeded, "quotaExceeded"),
        (.indexingUnsupported, "indexingUnsupported"),
        (.mismatchedClientState, "mismatchedClientState"),
        (.unknownQueryError, "unknownQueryError"),
        (.indexUnreachable, "indexUnreachable"),
        (.invalidQuery, "invalidQuery"),
        (.cancelled, "cancelled"),
        (.busy, "busy"),
        (.noWorkers, "noWorkers"),
        (.starting, "starting"),
        (.shardUnavailable, "shardUnavailable"),
        (.staleEpoch, "staleEpoch"),
        (.slowConsumer, "slowConsumer"),
        (.budgetExhausted, "budgetExhausted"),
        (.gap, "gap"),
        (.malformedMessage, "malformedMessage"),
        (.unknownVerb, "unknownVerb"),
        (.unsupportedVersion, "unsupportedVersion"),
        (.tooLarge, "tooLarge"),
        (.unknownIndex, "unknownIndex"),
        (.wrongState, "wrongState"),
        (.wrongRoute, "wrongRoute"),
        (.wrongShard, "wrongShard"),
        (.tooMany, "tooMany"),
        (.batchNumberReused, "batchNumberReused"),
        (.invalidArgument, "invalidArgument"),
        (.keyMismatch, "keyMismatch"),
        (.nameTaken, "nameTaken"),
        (.unknownItem, "unknownItem"),
        (.cursorExpired, "cursorExpired"),
        (.cursorMismatch, "cursorMismatch"),
        (.unknownWorker, "unknownWorker"),
        (.tooFewWorkers, "tooFewWorkers"),
        (.indexExists, "indexExists"),
        (.indexInUse, "indexInUse"),
        (.clockInDoubt, "clockInDoubt"),
        (.internalError, "internalError"),
        (.storageFailed, "storageFailed"),
        (.diskFull, "diskFull"),
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
