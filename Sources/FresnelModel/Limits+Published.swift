/// One limit as `describe` shows it.
public struct PublishedLimit: Hashable, Sendable {
    /// Short name, stable.
    public let name: String
    /// The largest value that is accepted.
    public let value: Int
    /// What the value counts.
    public let unit: String
    /// Why the limit exists.
    public let reason: String

    init(_ name: String, _ value: Int, _ unit: String, _ reason: String) {
        self.name = name
        self.value = value
        self.unit = unit
        self.reason = reason
    }
}

extension Limits {
    /// All limits that a client can meet.
    public static let published: [PublishedLimit] = documentLimits + writeLimits + queryLimits

    private static let documentLimits = [
        PublishedLimit("identifier", identifierBytes, "bytes", "keys stand in every term table"),
        PublishedLimit("domain", domainBytes, "bytes", "every prefix of parts is a term"),
        PublishedLimit("document", documentBytes, "bytes", "one document fits one payload frame"),
        PublishedLimit(
            "attributesPerDocument", attributesPerDocument, "attributes",
            "bounds the work of one document"),
        PublishedLimit(
            "elementsPerAttribute", elementsPerAttribute, "elements",
            "bounds the columns of one document"),
        PublishedLimit("attributeName", attributeNameBytes, "bytes", "names stand in every query"),
        PublishedLimit(
            "customAttributeKeys", customAttributeKeys, "keys", "each key has its own columns"),
        PublishedLimit("indexName", indexNameBytes, "bytes", "the name is a folder of each worker"),
        PublishedLimit("workerName", workerNameBytes, "bytes", "the name stands in every report"),
        PublishedLimit("shardsPerIndex", shardsPerIndex, "shards", "one query asks all of them"),
        PublishedLimit("jsonDepth", jsonDepth, "levels", "bounds the reader's stack"),
    ]

    private static let writeLimits = [
        PublishedLimit(
            "operationsPerBatch", operationsPerBatch, "operations", "one control frame lists them"),
        PublishedLimit("batch", batchBytes, "bytes", "a batch travels in one payload frame"),
        PublishedLimit("clientState", clientStateBytes, "bytes", "the limit of Core Spotlight"),
        PublishedLimit(
            "writeCredit", writeCreditBytes, "bytes", "bounds what the broker buffers per client"),
        PublishedLimit("controlFrame", controlFrameBytes, "bytes", "a control lane never waits"),
        PublishedLimit("payload", payloadBytes, "bytes", "bounds the memory of one message"),
    ]

    private static let queryLimits = [
        PublishedLimit("query", queryBytes, "bytes", "every worker parses it"),
        PublishedLimit("queryDepth", queryDepth, "levels", "bounds the parser's stack"),
        PublishedLimit("queryPredicates", queryPredicates, "predicates", "each opens cursors"),
        PublishedLimit("queryTokens", queryTokens, "tokens", "each becomes a predicate"),
        PublishedLimit("filters", filters, "queries", "each is parsed and matched"),
        PublishedLimit(
            "fetchedAttributes", fetchedAttributes, "attributes", "bounds the bytes of one hit"),
        PublishedLimit("facets", facets, "facets", "each reads a column of every hit"),
        PublishedLimit("facetValues", facetValues, "values", "one control frame lists them"),
        PublishedLimit("sortKeys", sortKeys, "keys", "every comparison may read all of them"),
        PublishedLimit(
            "fetchedIdentifiers", fetchedIdentifiers, "identifiers",
            "one control frame lists them"),
        PublishedLimit("hits", hits, "hits", "document numbers have 32 bits"),
        PublishedLimit("credit", creditItems, "hits", "bounds what a slow client is sent"),
        PublishedLimit(
            "queriesPerClient", queriesPerClient, "queries", "one client cannot starve others"),
        PublishedLimit("activeQueries", activeQueries, "queries", "bounds the broker's memory"),
        PublishedLimit("followsPerClient", followsPerClient, "queries", "each holds credit"),
        PublishedLimit("follows", follows, "queries", "each asks whenever something changed"),
        PublishedLimit(
            "deadline", Int(deadline.components.seconds), "seconds", "no query lives for ever"),
        PublishedLimit("cursor", cursorBytes, "bytes", "two of them fit one completion"),
        PublishedLimit("slot", slotBytes, "bytes", "the name travels with every query"),
    ]
}
