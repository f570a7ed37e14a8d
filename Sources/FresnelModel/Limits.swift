/// Every size, depth and count the cluster refuses to exceed.
///
/// Reaching a limit is a typed error that names the limit; nothing is cut silently. The same
/// numbers, with unit and reason, are in `published`, which `describe` returns.
public enum Limits {
    // Documents.

    /// Bytes of UTF-8 in a unique, related or persistent identifier.
    public static let identifierBytes = 512
    /// Bytes of UTF-8 in a domain identifier, all parts and periods.
    public static let domainBytes = 512
    /// Bytes of a document in its wire encoding: one document fits into one payload frame.
    public static let documentBytes = 900 * 1024
    /// Attributes of one document.
    public static let attributesPerDocument = 512
    /// Elements of one multi-valued attribute.
    public static let elementsPerAttribute = 4096
    /// Bytes of UTF-8 in the name of an attribute.
    public static let attributeNameBytes = 128
    /// Custom attribute keys of one index.
    public static let customAttributeKeys = 1024
    /// Bytes of UTF-8 in an index name.
    public static let indexNameBytes = 64
    /// Bytes of UTF-8 in a worker name.
    public static let workerNameBytes = 64

    // Writes.

    /// Operations of one batch.
    public static let operationsPerBatch = 1000
    /// Payload bytes at which a client closes a batch that holds more than one document.
    public static let batchBytes = 768 * 1024
    /// Bytes of a client state.
    public static let clientStateBytes = 250
    /// Unacknowledged payload bytes one client may have in flight.
    public static let writeCreditBytes = 8 * 1024 * 1024

    // Queries.

    /// Bytes of UTF-8 in a query string.
    public static let queryBytes = 16 * 1024
    /// Nested parentheses and negations of a query.
    public static let queryDepth = 64
    /// Predicates of a query after the `t` modifier is rewritten.
    public static let queryPredicates = 512
    /// Tokens of one string under the `t` modifier.
    public static let queryTokens = 64
    /// Filter queries of one request.
    public static let filters = 16
    /// Attributes fetched by one request.
    public static let fetchedAttributes = 64
    /// Sort keys of one request.
    public static let sortKeys = 8
    /// Identifiers of one get request.
    public static let fetchedIdentifiers = 1000
    /// Hits a request may be limited to; a request without a limit has none.
    public static let hits = Int(Int32.max)
    /// Hits a client may grant at once.
    public static let creditItems = 1_000_000
    /// Hits a client grants when it does not say.
    public static let creditItemsDefault = 1000
    /// Queries one client may have in flight.
    public static let queriesPerClient = 64
    /// Queries the broker runs at once.
    public static let activeQueries = 1024
    /// Queries one client may follow after their completion.
    public static let followsPerClient = 16
    /// Queries the broker follows at once.
    public static let follows = 256
    /// The longest budget of a request.
    public static let deadline = Duration.seconds(3600)
    /// The budget of a request that names none.
    public static let deadlineDefault = Duration.seconds(10)
    /// Bytes of UTF-8 in the name of a slot.
    public static let slotBytes = 64

    /// Bytes of a cursor: the snapshots of all indexes and the sort key of a hit, with one text of
    /// any content or three without zero bytes; two cursors fit one completion.
    public static let cursorBytes = 12 * 1024

    // Frames.

    /// Bytes of a control frame.
    public static let controlFrameBytes = 64 * 1024
    /// Bytes of a payload frame.
    public static let payloadBytes = 1024 * 1024
    /// Shards of one index.
    public static let shardsPerIndex = 1024
    /// Nested arrays and objects of JSON input.
    public static let jsonDepth = 64
}
