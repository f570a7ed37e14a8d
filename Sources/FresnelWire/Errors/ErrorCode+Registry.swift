// The registry itself: one row a code, in the order of the document.

extension ErrorCode {
    /// Every code of version 1.
    package static let registry: [ErrorCode] = [
        none,
        unknownError,
        indexUnavailable,
        invalidItem,
        invalidClientState,
        remoteConnectionError,
        quotaExceeded,
        indexingUnsupported,
        mismatchedClientState,
        unknownQueryError,
        indexUnreachable,
        invalidQuery,
        cancelled,
        busy,
        noWorkers,
        starting,
        shardUnavailable,
        staleEpoch,
        slowConsumer,
        budgetExhausted,
        gap,
        malformedMessage,
        unknownVerb,
        unsupportedVersion,
        tooLarge,
        unknownIndex,
        wrongState,
        wrongRoute,
        wrongShard,
        tooMany,
        batchNumberReused,
        invalidArgument,
        keyMismatch,
        nameTaken,
        unknownItem,
        cursorExpired,
        cursorMismatch,
        unknownWorker,
        tooFewWorkers,
        indexExists,
        indexInUse,
        clockInDoubt,
        internalError,
        storageFailed,
        diskFull,
    ]

    /// Applied, no failure.
    package static let none = ErrorCode(
        0, "none", "applied, no failure")
    /// The index failed and does not say why.
    package static let unknownError = ErrorCode(
        -1, "unknownError", "the index failed and does not say why")
    /// The index cannot take writes now.
    package static let indexUnavailable = ErrorCode(
        -1000, "indexUnavailable", "the index cannot take writes now", retriable: true)
    /// The document or patch breaks a rule; the text says which.
    package static let invalidItem = ErrorCode(
        -1001, "invalidItem", "the document or patch breaks a rule; the text says which")
    /// The client state is longer than 250 bytes.
    package static let invalidClientState = ErrorCode(
        -1002, "invalidClientState", "the client state is longer than 250 bytes")
    /// The cluster cannot be reached.
    package static let remoteConnectionError = ErrorCode(
        -1003, "remoteConnectionError", "the cluster cannot be reached", retriable: true)
    /// A quota of the index is used up.
    package static let quotaExceeded = ErrorCode(
        -1004, "quotaExceeded", "a quota of the index is used up")
    /// This cluster does not take writes.
    package static let indexingUnsupported = ErrorCode(
        -1005, "indexingUnsupported", "this cluster does not take writes")
    /// The stored client state is not the expected one.
    package static let mismatchedClientState = ErrorCode(
        -1006, "mismatchedClientState", "the stored client state is not the expected one")
    /// The query failed and the index does not say why.
    package static let unknownQueryError = ErrorCode(
        -2000, "unknownQueryError", "the query failed and the index does not say why")
    /// No shard of the index can be searched.
    package static let indexUnreachable = ErrorCode(
        -2001, "indexUnreachable", "no shard of the index can be searched", retriable: true)
    /// The query cannot be read; offset and expectation are given.
    package static let invalidQuery = ErrorCode(
        -2002, "invalidQuery", "the query cannot be read; offset and expectation are given")
    /// The query was cancelled.
    package static let cancelled = ErrorCode(
        -2003, "cancelled", "the query was cancelled")
    /// Admission is closed; wait as long as told.
    package static let busy = ErrorCode(
        301, "busy", "admission is closed; wait as long as told", retriable: true)
    /// No worker is registered.
    package static let noWorkers = ErrorCode(
        302, "noWorkers", "no worker is registered", retriable: true)
    /// The cluster is starting; its workers are not all back.
    package static let starting = ErrorCode(
        303, "starting", "the cluster is starting; its workers are not all back", retriable: true)
    /// A needed shard has no live replica.
    package static let shardUnavailable = ErrorCode(
        304, "shardUnavailable", "a needed shard has no live replica", retriable: true)
    /// The sender acts on an old configuration; say HELLO again.
    package static let staleEpoch = ErrorCode(
        305, "staleEpoch", "the sender acts on an old configuration; say HELLO again",
        retriable: true)
    /// The stream was ended because its credit did not grow.
    package static let slowConsumer = ErrorCode(
        306, "slowConsumer", "the stream was ended because its credit did not grow", retriable: true
    )
    /// The time for the request is used up.
    package static let budgetExhausted = ErrorCode(
        307, "budgetExhausted", "the time for the request is used up", retriable: true)
    /// Parts before this one are missing in the journal.
    package static let gap = ErrorCode(
        308, "gap", "parts before this one are missing in the journal", retriable: true)
    /// The frames are not a message of this protocol.
    package static let malformedMessage = ErrorCode(
        400, "malformedMessage", "the frames are not a message of this protocol")
    /// The verb does not exist in this version.
    package static let unknownVerb = ErrorCode(
        401, "unknownVerb", "the verb does not exist in this version")
    /// The two sides share no major version.
    package static let unsupportedVersion = ErrorCode(
        402, "unsupportedVersion", "the two sides share no major version")
    /// A size limit is exceeded; the text names limit and size.
    package static let tooLarge = ErrorCode(
        403, "tooLarge", "a size limit is exceeded; the text names limit and size")
    /// No index has that name.
    package static let unknownIndex = ErrorCode(
        404, "unknownIndex", "no index has that name")
    /// The message is not allowed now; say HELLO first.
    package static let wrongState = ErrorCode(
        405, "wrongState", "the message is not allowed now; say HELLO first")
    /// This kind of peer may not send that message.
    package static let wrongRoute = ErrorCode(
        406, "wrongRoute", "this kind of peer may not send that message")
    /// The routing hash does not belong to the document or shard.
    package static let wrongShard = ErrorCode(
        407, "wrongShard", "the routing hash does not belong to the document or shard")
    /// A count limit is exceeded; the text names limit and count.
    package static let tooMany = ErrorCode(
        408, "tooMany", "a count limit is exceeded; the text names limit and count")
    /// The batch number was used for another batch, or lies too far back.
    package static let batchNumberReused = ErrorCode(
        409, "batchNumberReused",
        "the batch number was used for another batch, or lies too far back")
    /// A field has a value that its place does not allow.
    package static let invalidArgument = ErrorCode(
        410, "invalidArgument", "a field has a value that its place does not allow")
    /// A custom key is declared already with other properties.
    package static let keyMismatch = ErrorCode(
        411, "keyMismatch", "a custom key is declared already with other properties")
    /// A newer process carries the same worker name.
    package static let nameTaken = ErrorCode(
        412, "nameTaken", "a live process carries the worker's name")
    /// No document of that identifier exists.
    package static let unknownItem = ErrorCode(
        413, "unknownItem", "no document of that identifier exists")
    /// The versions that the cursor reads are merged away; ask again without it.
    package static let cursorExpired = ErrorCode(
        414, "cursorExpired",
        "the versions that the cursor reads are merged away; ask again without it")
    /// The cursor belongs to another query, or to another index of that name.
    package static let cursorMismatch = ErrorCode(
        415, "cursorMismatch",
        "the cursor belongs to another query, or to another index of that name")
    /// No worker of that name is here or holds anything.
    package static let unknownWorker = ErrorCode(
        416, "unknownWorker", "no worker of that name is here or holds anything")
    /// Without that worker there are fewer workers than copies.
    package static let tooFewWorkers = ErrorCode(
        417, "tooFewWorkers", "without that worker there are fewer workers than copies")
    /// An index has that name already.
    package static let indexExists = ErrorCode(
        420, "indexExists", "an index has that name already")
    /// An alias leads to the index.
    package static let indexInUse = ErrorCode(
        421, "indexInUse", "an alias leads to the index")
    /// The broker does not know what time it is, and what is asked cannot be taken back.
    package static let clockInDoubt = ErrorCode(
        431, "clockInDoubt",
        "the broker does not know what time it is, and what is asked cannot be taken back")
    /// A defect of the cluster; report it.
    package static let internalError = ErrorCode(
        500, "internalError", "a defect of the cluster; report it")
    /// A disk refused to read or write.
    package static let storageFailed = ErrorCode(
        501, "storageFailed", "a disk refused to read or write", retriable: true)
    /// A disk is full; only deletions are accepted.
    package static let diskFull = ErrorCode(
        502, "diskFull", "a disk is full; only deletions are accepted", retriable: true)
}

extension ErrorCode: CustomStringConvertible {
    /// Number and name.
    package var description: String { "\(number) \(name)" }
}
